package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.changes.Change;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.connection.Database;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.rows.Bundle;
import dev.rondo.rows.Row;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where PostgreSQL stores the rows of full segments: those of a segment side by side, and each
 * version in the page of the previous one.
 */
class PagesIT {
  private static final int SEGMENTS = 5;
  private static final Bundle FINE = new Bundle("p", "wmean", 10_000, 56);
  private static final Bundle COARSE = new Bundle("p", "wmean", 600_000, 28);

  private final TestDatabase database = TestDatabase.ofOwnServer();
  private long slot = 170_000_000;
  private int width = 116; // as in the topology

  /** A snapshot of anyone's, and be it that of an analyze, keeps old versions in their pages. */
  @BeforeEach
  void stopAutovacuum() {
    database.execute("alter system set autovacuum = off");
    database.execute("select pg_reload_conf()");
  }

  @AfterEach
  void startAutovacuum() {
    database.execute("alter system reset autovacuum");
    database.execute("select pg_reload_conf()");
  }

  @ParameterizedTest
  @ValueSource(ints = {116, 200})
  void shouldReplaceRowsInTheirPages(int rowWidth) throws SQLException {
    width = rowWidth;
    round(1); // makes the rows
    long size = size();
    assertThat(database.query("select count(*) from ts"))
        .containsExactly(Integer.toString(SEGMENTS * (56 + 28)));
    database.query("select pg_stat_force_next_flush()"); // the scan of that count
    Updates before = updates();

    long written = round(1) + round(1) + round(12); // the last one as after an outage

    Updates after = updates();
    assertThat(after.all - before.all).isEqualTo(written);
    assertThat(after.inPage - before.inPage).isGreaterThan(written * 98 / 100);
    assertThat(after.scans).as("of the whole table").isEqualTo(before.scans);
    assertThat(size()).isLessThanOrEqualTo(size + 8 * 8192);
  }

  @Test
  void shouldLayRowsOfASegmentSideBySide() throws SQLException {
    round(1);
    assertThat(
            database.query(
                "select seg, count(distinct (ts.ctid::text::point)[0]) <= 56 / 7 + 4 from ts"
                    + " join rra_bundle b on b.id = rra_bundle_id and step_ms = 10000 group by seg"))
        .hasSize(SEGMENTS)
        .allMatch(line -> line.endsWith("|t"));
  }

  /**
   * A round of the fine archive: each row in two halves, and the open slot of the coarse one after
   * each; or {@code together} slots in a put. Returns how many rows have been written.
   */
  private long round(int together) throws SQLException {
    long written = 0;
    try (var writer = writer()) {
      for (int put = 0; put < 56 / together; put++) {
        if (together == 1) {
          slot++;
          written += write(writer, rows(slot, 0, width / 2));
          List<Change> rest = rows(slot, width / 2, width);
          for (int seg = 0; seg < SEGMENTS; seg++) {
            rest.add(row(COARSE, seg, slot / 60 + 1, 0, width));
          }
          written += write(writer, rest);
        } else {
          var rows = new ArrayList<Change>();
          for (int k = 0; k < together; k++) {
            rows.addAll(rows(++slot, 0, width));
          }
          written += write(writer, rows);
        }
      }
    }
    return written;
  }

  private static long write(RowWriter writer, List<Change> rows) throws SQLException {
    return writer.write(rows, List.of()).rows();
  }

  private List<Change> rows(long index, int from, int to) {
    var rows = new ArrayList<Change>();
    for (int seg = 0; seg < SEGMENTS; seg++) {
      rows.add(row(FINE, seg, index, from, to));
    }
    return rows;
  }

  /** Values that no other row has, at the positions from + 1 .. to. */
  private Change row(Bundle bundle, int seg, long index, int from, int to) {
    double[] dp = new double[to];
    for (int p = 0; p < to; p++) {
      dp[p] = p < from ? Double.NaN : slot + p / 1000.0;
    }
    var key = new Row.Key(bundle, seg, (int) (index % bundle.size()));
    return Records.change(new Row(key, width, index * bundle.stepMs(), dp));
  }

  private RowWriter writer() {
    var config = PostgresSinkConfig.of(database.taskConfig());
    return new RowWriter(new Database(config), config.preallocateSlots(), 0);
  }

  private long size() {
    return Long.parseLong(database.query("select pg_relation_size('ts')").get(0));
  }

  private record Updates(long all, long inPage, long scans) {}

  /** What PostgreSQL has counted once the sink's backend has ended, which reports it. */
  private Updates updates() {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !sinkIsConnected());
    return new Updates(count("n_tup_upd"), count("n_tup_hot_upd"), count("seq_scan"));
  }

  private long count(String statistic) {
    String sql = "select " + statistic + " from pg_stat_user_tables where relname = 'ts'";
    return Long.parseLong(database.query(sql).get(0));
  }

  private boolean sinkIsConnected() {
    return !database
        .query("select from pg_stat_activity where application_name = 'rondo-postgres-sink'")
        .isEmpty();
  }
}
