package dev.rondo.history.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.history.offsets.SourceOffset;
import dev.rondo.tools.command.CommandException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayRequestTest {
  private static final List<String> POINTS = List.of("points");

  @Test
  void shouldReadOffsets() {
    assertThat(ReplayRequest.offsets(POINTS, "0:12, 3:0").offsets())
        .isEqualTo(Map.of(0, 12L, 3, 0L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          0        | '0' is not PARTITION:OFFSET
          0:1,     | '' is not PARTITION:OFFSET
          0:1:2    | '0:1:2' is not PARTITION:OFFSET
          0:-1     | '0:-1' is not PARTITION:OFFSET
          a:1      | 'a:1' is not PARTITION:OFFSET
          1:1,1:2  | partition 1 occurs twice
          """)
  void shouldRejectMalformedOffsets(String text, String message) {
    assertThatThrownBy(() -> ReplayRequest.offsets(POINTS, text))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("--offsets");
  }

  @Test
  void shouldRefuseOffsetsOfTwoTopics() {
    assertThatThrownBy(() -> ReplayRequest.offsets(List.of("a", "b"), "0:1"))
        .hasMessage("--offsets needs exactly one topic, but there are 2: a, b (--topic)");
  }

  @Test
  void shouldNameTheNearestSource() {
    assertThatThrownBy(
            () -> ReplayRequest.toEarliest(List.of("point")).check(List.of("x", "points")))
        .hasMessage(
            "topic 'point' is not one of the sources [x, points]: did you mean 'points'? (--topic)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          2:5   | topic 'points' has no partition 2, only 0 to 1 (--offsets)
          0:9   | offset 9 of partition 0 of topic 'points' is not within 10 to 100, the offsets that Kafka holds (--offsets)
          0:101 | offset 101 of partition 0 of topic 'points' is not within 10 to 100, the offsets that Kafka holds (--offsets)
          0:61  | offset 61 of partition 0 of topic 'points' is ahead of the topology at 60: the records between would never be read (--offsets)
          1:1   | offset 1 of partition 1 of topic 'points' is ahead of the topology at 0: the records between would never be read (--offsets)
          """)
  void shouldRejectOffsetsThatKafkaDoesNotHold(String offsets, String message) {
    assertThatThrownBy(
            () -> OffsetsCheck.check(ReplayRequest.offsets(POINTS, offsets), sourceOffsets()))
        .isInstanceOf(CommandException.class)
        .hasMessage(message);
  }

  @Test
  void shouldAcceptOffsetsThatKafkaHolds() {
    OffsetsCheck.check(ReplayRequest.offsets(POINTS, "0:10,1:0"), sourceOffsets());
    OffsetsCheck.check(ReplayRequest.offsets(POINTS, "0:60"), sourceOffsets());
  }

  /** Partition 0 is read up to 60 of 10 to 100, partition 1 not at all. */
  private static List<SourceOffset> sourceOffsets() {
    return List.of(
        new SourceOffset(new TopicPartition("points", 0), OptionalLong.of(60), 10, 100),
        new SourceOffset(new TopicPartition("points", 1), OptionalLong.empty(), 0, 5),
        new SourceOffset(new TopicPartition("others", 2), OptionalLong.of(7), 0, 7));
  }
}
