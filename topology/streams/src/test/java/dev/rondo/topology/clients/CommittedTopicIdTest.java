package dev.rondo.topology.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.streams.processor.internals.ProcessorMetadata;
import org.apache.kafka.streams.processor.internals.TopicPartitionMetadata;
import org.junit.jupiter.api.Test;

class CommittedTopicIdTest {
  private static final long STREAM_TIME_MS = 1_699_920_000_000L;
  private static final Uuid ID = Uuid.randomUuid();

  private static OffsetAndMetadata offset(String metadata) {
    return new OffsetAndMetadata(7, Optional.of(3), metadata);
  }

  private static String metadata(Map<String, Long> ofProcessors) {
    return new TopicPartitionMetadata(STREAM_TIME_MS, new ProcessorMetadata(ofProcessors)).encode();
  }

  @Test
  void shouldKeepTheMetadataOfStreams() {
    OffsetAndMetadata committed = CommittedTopicId.add(offset(metadata(Map.of())), ID);

    assertThat(CommittedTopicId.of(committed)).contains(ID);
    assertThat(committed.offset()).isEqualTo(7);
    assertThat(committed.leaderEpoch()).contains(3);
    assertThat(TopicPartitionMetadata.decode(committed.metadata()))
        .as("as an earlier release reads it")
        .isEqualTo(TopicPartitionMetadata.decode(metadata(Map.of())));
  }

  @Test
  void shouldFindNoIdInOffsetsOfOtherPrograms() {
    for (String metadata :
        new String[] {"", "by hand", metadata(Map.of()), metadata(Map.of("a", 1L))}) {
      assertThat(CommittedTopicId.of(offset(metadata))).as(metadata).isEmpty();
    }
  }

  @Test
  void shouldNotChangeMetadataOfAnotherForm() {
    for (String metadata : new String[] {"by hand", metadata(Map.of("a", 1L))}) {
      assertThat(CommittedTopicId.add(offset(metadata), ID)).isEqualTo(offset(metadata));
    }
  }
}
