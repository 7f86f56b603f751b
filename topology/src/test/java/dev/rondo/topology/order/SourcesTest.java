package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SourcesTest {
  @Test
  void shouldTellTheTopicOfAnId() {
    byte[] id = Sources.id(new TopicPartition("metrics.a-b", 0x61626364));
    assertThat(Sources.topic(ByteBuffer.wrap(id))).isEqualTo("metrics.a-b");
  }
}
