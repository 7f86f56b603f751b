package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskTest;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After a switch by logical replication the tables have rows, and their sequences stand at 1. */
class TakenIdsIT extends TaskTest {
  /** More than the ids that retries without an end would use up in this test. */
  private static final int STORED = 50;

  enum Table {
    DS,
    RRA_BUNDLE;

    private SinkRecord record(int number) {
      return switch (this) {
        case DS -> series("s" + number, number);
        case RRA_BUNDLE -> Records.row(row("p" + number));
      };
    }

    List<SinkRecord> records(int from, int to) {
      return IntStream.range(from, to).mapToObj(this::record).toList();
    }
  }

  @ParameterizedTest
  @EnumSource(Table.class)
  void shouldContinueAfterTheHighestId(Table table) {
    task.put(table.records(1, STORED));
    restartIds(table);
    List<SinkRecord> more = table.records(STORED, STORED + 2);
    assertThatThrownBy(() -> task.put(more)).isInstanceOf(RetriableException.class);
    task.put(more);
    assertThat(database.query("select count(*), count(*) filter (where id >= 50) from " + table))
        .containsExactly("51|2");
  }

  /** Their periods are under ids that ds has no more. */
  @ParameterizedTest
  @EnumSource(value = Table.class, names = "DS")
  void shouldNotTakeIdsOfDisplacedSeries(Table table) {
    task.put(table.records(1, STORED));
    database.execute("delete from ds");
    restartIds(table);
    List<SinkRecord> more = table.records(STORED, STORED + 2);
    assertThatThrownBy(() -> task.put(more)).isInstanceOf(RetriableException.class);
    task.put(more);
    assertThat(database.query("select count(*) from ds where id >= 50")).containsExactly("2");
  }

  @ParameterizedTest
  @EnumSource(Table.class)
  void shouldStopWhereItMayNotAdvanceThem(Table table) {
    task.put(table.records(1, STORED));
    restartIds(table);
    database.execute("alter function rondo_advance_ids rename to other");
    try {
      assertThatThrownBy(() -> task.put(table.records(STORED, STORED + 2)))
          .isInstanceOf(ConnectException.class)
          .isNotInstanceOf(RetriableException.class)
          .hasMessageContaining("rondo_advance_ids")
          .hasMessageContaining("run the migrations");
    } finally {
      database.execute("alter function other rename to rondo_advance_ids");
    }
  }

  private void restartIds(Table table) {
    database.execute("alter table %s alter column id restart".formatted(table));
  }

  private static SinkRecord series(String name, int pos) {
    return Records.series(new SeriesEntry(name, "p", 65536, pos, 5L, "", "", 0L));
  }

  private static BundleRow row(String policy) {
    return new BundleRow(
        policy, "wmean", 10_000L, 1000, 200, 0.5, false, "wmean", 65536, 1, 10_000L, List.of(1.0));
  }
}
