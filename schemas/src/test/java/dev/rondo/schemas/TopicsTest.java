package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicsTest {
  @Test
  void shouldStampRecordsOfEveryTopicOnAppend() {
    assertThat(catalogue())
        .hasSizeGreaterThanOrEqualTo(4)
        .allSatisfy(
            topic ->
                assertThat(topic.configs())
                    .as(topic.name())
                    .containsEntry("message.timestamp.type", "LogAppendTime"));
  }

  @Test
  void shouldKeepSeriesForEverAndRowsForSevenDays() {
    assertThat(Topics.SERIES.configs())
        .containsEntry("cleanup.policy", "compact")
        .doesNotContainKey("retention.ms");
    assertThat(Topics.BUNDLE_ROWS.configs())
        .containsAllEntriesOf(Map.of("cleanup.policy", "delete", "retention.ms", "604800000"));
  }

  @Test
  void shouldNameOwnTopicsAfterRondo() {
    assertThat(catalogue())
        .extracting(Topic::name)
        .containsExactlyInAnyOrder(
            "points",
            "rondo.series",
            "rondo.bundle-rows",
            "rondo.events",
            "rondo.dead-letters",
            "rondo.replays",
            "rondo.partitions",
            "rondo.policies",
            "rondo.series-requests");
  }

  /** Every topic constant, so that a new one cannot be forgotten here. */
  private static List<Topic<?, ?>> catalogue() {
    return Arrays.stream(Topics.class.getFields())
        .filter(field -> Modifier.isStatic(field.getModifiers()))
        .filter(field -> field.getType() == Topic.class)
        .<Topic<?, ?>>map(TopicsTest::valueOf)
        .toList();
  }

  private static Topic<?, ?> valueOf(Field field) {
    try {
      return (Topic<?, ?>) field.get(null);
    } catch (IllegalAccessException e) {
      throw new LinkageError("no access to " + field, e);
    }
  }
}
