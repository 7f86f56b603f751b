package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class SourcesTest {
  @Test
  void shouldTellTheTopicOfAnId() {
    byte[] id = Sources.id(new TopicPartition("metrics.a-b", 0x61626364));
    assertThat(Sources.topic(ByteBuffer.wrap(id))).isEqualTo("metrics.a-b");
  }

  @Test
  void shouldTellOfManyHowFarTheyAreDecoded() {
    Headers headers = new RecordHeaders();
    assertThat(Sources.tellsComplete(headers)).isFalse();
    Sources.addComplete(headers, new byte[] {1}, 1_700_000_000_001L);
    Sources.addComplete(headers, new byte[] {2}, 1_700_000_000_002L);
    assertThat(Sources.tellsComplete(headers)).isTrue();

    Map<Byte, Long> told = new HashMap<>();
    Sources.forEachComplete(headers, (id, untilMs) -> told.put(id[0], untilMs));
    assertThat(told)
        .containsOnly(
            Map.entry((byte) 1, 1_700_000_000_001L), Map.entry((byte) 2, 1_700_000_000_002L));
  }
}
