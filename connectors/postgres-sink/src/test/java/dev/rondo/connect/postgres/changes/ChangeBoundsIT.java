package dev.rondo.connect.postgres.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.PostgresSinkTask;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PostgreSQL accepts the largest values that {@link ChangeReader} accepts. */
class ChangeBoundsIT {
  private static final long LAST = ChangeReader.MAX_TIME_MS;
  private static final int LARGEST = Integer.MAX_VALUE;

  private final TestDatabase database = TestDatabase.empty();
  private final PostgresSinkTask task =
      TaskContext.start(database.taskConfig(), new TaskContext(false));

  @AfterEach
  void stop() {
    task.stop();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, ChangeReader.MAX_TIME_MS})
  void shouldStoreAnyTime(long endMs) {
    int i = (int) (endMs % LARGEST);
    task.put(List.of(Records.row(row(1L, LARGEST, 1, i, endMs, List.of(1.0)))));
    assertThat(
            database.query(
                "select i, (extract(epoch from t) * 1000)::bigint, dp[1] from ts where t > '-infinity'"))
        .containsExactly("%d|%d|1".formatted(i, endMs));
  }

  @Test
  void shouldStoreTheWidestRowOfTheLastSegment() {
    var dp = Collections.nCopies(ChangeReader.MAX_WIDTH, -Double.MAX_VALUE);
    task.put(List.of(Records.row(row(LAST, 1, ChangeReader.MAX_WIDTH, 0, LAST, dp))));
    assertThat(
            database.query(
                "select seg, cardinality(dp), dp[2000] = -1.7976931348623157e308 from ts "
                    + "where t > '-infinity'"))
        .containsExactly(LARGEST + "|2000|t");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, ChangeReader.MAX_TIME_MS})
  void shouldStoreSeriesStartsAtAnyTime(long startsAtMs) {
    var series =
        new SeriesEntry("\u0001;k=\uD83D\uDE00", "p", LARGEST, LARGEST, startsAtMs, "", "", 0L);
    task.put(List.of(Records.series(series)));
    assertThat(database.query("select pos, (extract(epoch from starts_at) * 1000)::bigint from ds"))
        .containsExactly(LARGEST + "|" + startsAtMs);
  }

  private static BundleRow row(
      long stepMs, int size, int width, int i, long endMs, List<Double> dp) {
    return new BundleRow(
        "p", "sum", stepMs, size, width, 1.0, false, "wmean", LARGEST, i, endMs, dp);
  }
}
