package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class SourceHeadersTest {
  @Test
  void shouldReadAnId() {
    var partition = new TopicPartition("metrics.a-b", 0x61626364);
    ByteBuffer id = ByteBuffer.wrap(SourceHeaders.id(partition));
    assertThat(SourceHeaders.partition(id)).isEqualTo(partition);
    assertThat(SourceHeaders.topic(id)).isEqualTo("metrics.a-b");
  }

  @Test
  void shouldCarryTheProgressOfMany() {
    Headers headers = new RecordHeaders();
    assertThat(SourceHeaders.holdProgress(headers)).isFalse();
    var one = new Progress(7, 1_700_000_000_001L, 500);
    var other = new Progress(0, Long.MIN_VALUE, 0);
    SourceHeaders.addProgress(headers, new byte[] {1}, one);
    SourceHeaders.addProgress(headers, new byte[] {2}, other);
    assertThat(SourceHeaders.holdProgress(headers)).isTrue();

    Map<Byte, Progress> read = new HashMap<>();
    SourceHeaders.forEachProgress(headers, (id, progress) -> read.put(id[0], progress));
    assertThat(read).containsOnly(Map.entry((byte) 1, one), Map.entry((byte) 2, other));
  }
}
