package dev.rondo.tools.why.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** Whether the last request to delete a series is why it is not there. */
class NameStageTest {
  private static final byte[] LIVES = {1};
  private final List<ConsumerRecord<byte[], byte[]>> entries = new ArrayList<>();

  private void entry(byte[] value, long atMs) {
    entries.add(
        new ConsumerRecord<>(
            "rondo.series",
            0,
            entries.size(),
            atMs,
            TimestampType.LOG_APPEND_TIME,
            0,
            0,
            null,
            value,
            new RecordHeaders(),
            Optional.empty()));
  }

  @Test
  void shouldBeDeletedByARequest() {
    entry(LIVES, 10);
    entry(null, 22);
    assertThat(NameStage.cameBack(entries, 20)).isFalse();
    assertThat(NameStage.cameBack(entries.subList(1, 2), 20)).isFalse(); // compacted
    assertThat(NameStage.cameBack(List.of(), 20)).isFalse();
  }

  @Test
  void shouldBeDeletedWithAPointThatCameMeanwhile() {
    entry(LIVES, 21);
    entry(null, 22);
    assertThat(NameStage.cameBack(entries, 20)).isFalse();
  }

  @Test
  void shouldBeRetiredAfterItCameBack() {
    entry(LIVES, 10);
    entry(null, 22);
    entry(LIVES, 30);
    entry(null, 90);
    assertThat(NameStage.cameBack(entries, 20)).isTrue();
    assertThat(NameStage.cameBack(entries, 89)).isFalse();
  }
}
