package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.PostgresSinkTask;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.rows.Bundle;
import dev.rondo.rows.Row;
import dev.rondo.schemas.BundleRow;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows in PostgreSQL: merge, replace, ignore, and the bundles they belong to. */
class BundleRowsIT {
  private static final double UNKNOWN = Double.NaN;
  private static final String TABLE =
      "select b.policy, b.cf, b.step_ms, ts.seg, ts.i, extract(epoch from ts.t)::bigint, "
          + TestDatabase.VALUES
          + " "
          + "from ts join rra_bundle b on b.id = ts.rra_bundle_id where "
          + TestDatabase.HAS_SLOT
          + " order by 1, 2, 3, 4, 5";

  private final TestDatabase database = TestDatabase.empty();
  private final TaskContext context = new TaskContext(false);
  private PostgresSinkTask task;

  @BeforeEach
  void start() {
    task = TaskContext.start(database.taskConfig(), context);
  }

  @AfterEach
  void stop() {
    task.stop();
  }

  @Test
  void shouldStoreRow() {
    task.put(List.of(row(7, 70_000, 1.5, UNKNOWN, -3)));
    assertThat(database.query(TABLE)).containsExactly("p|wmean|10000|65536|7|70|{1.5,NaN,-3}");
  }

  @Test
  void shouldChangeNothingWhenPutTwice() {
    List<SinkRecord> records =
        List.of(row(7, 70_000, 1, 2), row(8, 80_000, 3), row(7, 70_000, UNKNOWN, 4));
    task.put(records);
    List<String> once = database.query(TABLE);
    task.put(records);
    assertThat(database.query(TABLE)).isEqualTo(once).hasSize(2);
  }

  @Test
  void shouldMergeKnownValuesOfSameSlot() {
    task.put(List.of(row(7, 70_000, 1, 2, UNKNOWN)));
    task.put(List.of(row(7, 70_000, UNKNOWN, 5, 6)));
    shouldHold("p|wmean|10000|65536|7|70|{1,5,6}");
  }

  @Test
  void shouldMergeRowsOfOtherLengths() {
    task.put(List.of(row(1, 10_000, 1), row(2, 20_000, 1, 2, 3), row(3, 30_000)));
    task.put(List.of(row(1, 10_000, UNKNOWN, UNKNOWN, 3), row(2, 20_000, 9), row(3, 30_000, 4)));
    shouldHold(
        "p|wmean|10000|65536|1|10|{1,NaN,3}",
        "p|wmean|10000|65536|2|20|{9,2,3}",
        "p|wmean|10000|65536|3|30|{4}");
  }

  @Test
  void shouldKeepRowWithoutValues() {
    task.put(List.of(row(1, 10_000)));
    task.put(List.of(row(1, 10_000)));
    shouldHold("p|wmean|10000|65536|1|10|{}");
  }

  @Test
  void shouldReplaceByNewerSlotAndIgnoreOlder() {
    task.put(List.of(row(7, 70_000, 1, 2, 3)));
    task.put(List.of(row(7, 10_070_000, UNKNOWN, 9)));
    shouldHold("p|wmean|10000|65536|7|10070|{NaN,9}");
    task.put(List.of(row(7, 70_000, 4, 5, 6)));
    shouldHold("p|wmean|10000|65536|7|10070|{NaN,9}");
  }

  /**
   * Rows as another sink writes them: as long as their last value, none preallocated, wider
   * segments.
   */
  @Test
  void shouldWriteRowsThatAreNeitherPaddedNorPreallocated() {
    task.put(List.of(row(500, 5_000_000, 1))); // makes the bundle
    database.execute(
        "delete from ts; insert into ts select 1, 65536, i,"
            + " to_timestamp(i * 10 + case i when 4 then 10000 else 0 end),"
            + " array[i, 2] from generate_series(1, 6) i");
    task.put(
        List.of(
            row(1, 10_000, UNKNOWN, 7), // merged
            row(2, 10_020_000, 8), // replaced
            row(3, 30_000, UNKNOWN, UNKNOWN, 9), // too short: grows with those beside it
            row(4, 40_000, 0), // older
            row(7, 70_000, 7)));
    shouldHold(
        "p|wmean|10000|65536|1|10|{1,7}",
        "p|wmean|10000|65536|2|10020|{8}",
        "p|wmean|10000|65536|3|30|{3,2,9}",
        "p|wmean|10000|65536|4|10040|{4,2}",
        "p|wmean|10000|65536|5|50|{5,2}",
        "p|wmean|10000|65536|6|60|{6,2}",
        "p|wmean|10000|65536|7|70|{7}");
    assertThat(database.query("select distinct cardinality(dp) from ts")).containsExactly("8");
  }

  @Test
  void shouldPreallocateTheRowsOfTheSlotsAround() {
    task.put(List.of(row(30, 300_000, 1), row(999, 9_990_000, 2)));
    assertThat(
            database.query(
                "select i / 28, min(i), max(i), count(*), count(*) filter (where t > '-infinity'),"
                    + " min(cardinality(dp)) from ts group by 1 order by 1"))
        .containsExactly("1|28|55|28|1|8", "35|980|999|20|1|8");
  }

  @Test
  void shouldPreallocateNothingWhenDisabled() {
    var bare = TaskContext.start(database.taskConfig("preallocate.slots", "0"), context);
    bare.put(List.of(row(30, 300_000, 1)));
    bare.put(List.of(row(30, 300_000, UNKNOWN, 2), row(31, 310_000, 1)));
    bare.stop();
    assertThat(database.query("select i, " + TestDatabase.VALUES + " from ts order by i"))
        .containsExactly("30|{1,2}", "31|{1}");
  }

  @Test
  void shouldNeverShortenARow() {
    double[] wide = new double[40];
    task.put(List.of(row(7, 70_000, wide)));
    task.put(List.of(row(7, 10_070_000, 1)));
    assertThat(database.query("select distinct cardinality(dp) from ts")).containsExactly("64");
    shouldHold("p|wmean|10000|65536|7|10070|{1}");
  }

  @Test
  void shouldKeepBundlesApart() {
    var max = BundleRow.newBuilder(message(7, 70_000, 1)).setCf("max").build();
    var other = BundleRow.newBuilder(message(7, 70_000, 2)).setPolicy("q").build();
    task.put(List.of(Records.row(max), row(7, 70_000, 3), Records.row(other)));
    shouldHold(
        "p|max|10000|65536|7|70|{1}",
        "p|wmean|10000|65536|7|70|{3}", "q|wmean|10000|65536|7|70|{2}");
  }

  @Test
  void shouldGrowToWidthAndFollowXffOfNewestRow() {
    task.put(List.of(row(7, 70_000, 1)));
    assertThat(database.query("select width, xff from rra_bundle")).containsExactly("200|0.5");
    var wider = BundleRow.newBuilder(message(8, 80_000, 1)).setWidth(400).setXff(0.25).build();
    task.put(List.of(Records.row(wider)));
    assertThat(database.query("select id, width, xff from rra_bundle"))
        .containsExactly("1|400|0.25");
  }

  @Test
  void shouldOnlyGrowInWidthWhereSegmentsDiffer() {
    var wider = BundleRow.newBuilder(message(8, 80_000, 1)).setWidth(400).setXff(0.25).build();
    task.put(List.of(row(9, 90_000, 1), Records.row(wider)));
    assertThat(database.query("select width, xff from rra_bundle")).containsExactly("400|0.5");
    String updates = "select ctid, xmin from rra_bundle"; // both change with every update
    List<String> version = database.query(updates);
    task.put(List.of(row(9, 90_000, 1)));
    assertThat(database.query(updates)).as("not updated").isEqualTo(version);

    var fresh = TaskContext.start(database.taskConfig(), context);
    fresh.put(List.of(row(9, 90_000, 1)));
    fresh.stop();
    assertThat(database.query(updates)).as("nor by another task").isEqualTo(version);

    var newXff = BundleRow.newBuilder(message(9, 90_000, 1)).setXff(0.25).build();
    task.put(List.of(Records.row(newXff)));
    assertThat(database.query("select width, xff from rra_bundle")).containsExactly("400|0.25");
  }

  @Test
  void shouldStoreModeAndAggregateAndFollowItsNewestRow() {
    String modes = "select whisper, aggregate, width, xff from rra_bundle";
    task.put(List.of(row(7, 70_000, 1)));
    assertThat(database.query(modes)).containsExactly("f|wmean|200|0.5");

    var whisper =
        BundleRow.newBuilder(message(8, 80_000, 1)).setWhisper(true).setAggregate("sum").build();
    task.put(List.of(Records.row(whisper), row(7, 70_000, 1)));
    assertThat(database.query(modes)).containsExactly("t|sum|200|0.5");

    task.put(List.of(row(9, 90_000, 1)));
    assertThat(database.query(modes)).containsExactly("f|wmean|200|0.5");

    var other = BundleRow.newBuilder(whisper).setPolicy("whisper").build();
    task.put(List.of(Records.row(other)));
    assertThat(database.query("select policy, whisper, aggregate from rra_bundle order by 1"))
        .as("made in this mode")
        .containsExactly("p|f|wmean", "whisper|t|sum");
    String version = "select ctid, xmin from rra_bundle order by id";
    List<String> before = database.query(version);
    var fresh = TaskContext.start(database.taskConfig(), context);
    fresh.put(List.of(Records.row(other)));
    fresh.stop();
    assertThat(database.query(version)).as("known to another task as well").isEqualTo(before);
  }

  @Test
  void shouldNotNarrowWhatAnotherTaskHasWidened() {
    task.put(List.of(row(7, 70_000, 1)));
    database.execute("update rra_bundle set width = 400");
    var wider = BundleRow.newBuilder(message(8, 80_000, 1)).setWidth(300).build();
    task.put(List.of(Records.row(wider)));
    assertThat(database.query("select width from rra_bundle")).containsExactly("400");
  }

  @Test
  void shouldKeepTheEndsOfTheOldestAndTheNewestSlot() {
    task.put(List.of(row(7, 70_000, 1), row(9, 90_000, 1), row(8, 80_000, 1)));
    shouldSpan(70, 90);
    task.put(List.of(row(7, 70_000, 1)));
    shouldSpan(70, 90);
    var restarted = TaskContext.start(database.taskConfig(), context);
    restarted.put(List.of(row(6, 60_000, 1)));
    shouldSpan(60, 90);
    restarted.put(List.of(row(10, 100_000, 1)));
    shouldSpan(60, 100);
    task.put(List.of(row(9, 90_000, 1)));
    shouldSpan(60, 100);
    restarted.stop();
  }

  @Test
  void shouldBurnNoIdOfBundles() {
    for (int start = 0; start < 5; start++) {
      var fresh = TaskContext.start(database.taskConfig(), context);
      fresh.put(List.of(row(7, 70_000, 1)));
      fresh.stop();
    }
    var next = BundleRow.newBuilder(message(7, 70_000, 1)).setCf("max").build();
    task.put(List.of(Records.row(next)));
    assertThat(database.query("select id, cf from rra_bundle order by id"))
        .containsExactly("1|wmean", "2|max");
  }

  @Test
  void shouldWriteSameBundleFromTwoTasksAtOnce() throws Exception {
    var pool = Executors.newFixedThreadPool(2);
    var jobs = new ArrayList<Callable<Void>>();
    for (int t = 0; t < 2; t++) {
      int position = t;
      jobs.add(
          () -> {
            putOneByOne(position);
            return null;
          });
    }
    for (Future<Void> job : pool.invokeAll(jobs)) {
      job.get();
    }
    pool.shutdown();
    assertThat(database.query("select count(*) from rra_bundle")).containsExactly("1");
    assertThat(database.query(TABLE)).hasSize(100).allMatch(row -> row.endsWith("|{0,1}"));
    shouldSpan(10, 1_000);
  }

  @Test
  void shouldLetOtherTasksUseABundleBeforeItsFirstRowsAreStored() throws Exception {
    var bundle = new Bundle("p", "wmean", 10_000, 65_536);
    var rows =
        List.of(Records.change(new Row(new Row.Key(bundle, 0, 7), 40, 70_000, new double[1])));
    try (Connection one = DriverManager.getConnection(database.jdbcUrl());
        Connection other = DriverManager.getConnection(database.jdbcUrl());
        var statement = other.createStatement()) {
      statement.execute("set lock_timeout = '10s'");
      one.setAutoCommit(false);
      other.setAutoCommit(false);
      var ids = new Bundles().ids(one, rows);
      assertThat(new Bundles().ids(other, rows)).isEqualTo(ids);
    }
  }

  /** 50 puts of 100 rows, each in a different order, with a value only at its position. */
  private void putOneByOne(int position) {
    var own = TaskContext.start(database.taskConfig(), new TaskContext(false));
    double[] dp = new double[position + 1];
    Arrays.fill(dp, UNKNOWN);
    dp[position] = position;
    for (int put = 0; put < 50; put++) {
      var records = new ArrayList<SinkRecord>();
      for (int i = 1; i <= 100; i++) {
        int slot = position == 0 ? i : 101 - i;
        records.add(row(slot, slot * 10_000L, dp));
      }
      own.put(records);
    }
    own.stop();
  }

  private void shouldHold(String... rows) {
    assertThat(database.query(TABLE)).containsExactly(rows);
  }

  private void shouldSpan(long first, long latest) {
    assertThat(
            database.query(
                "select extract(epoch from first)::bigint, extract(epoch from latest)::bigint"
                    + " from rra_bundle"))
        .containsExactly(first + "|" + latest);
  }

  private static SinkRecord row(int i, long endMs, double... dp) {
    return Records.row(message(i, endMs, dp));
  }

  private static BundleRow message(int i, long endMs, double... dp) {
    List<Double> values = Arrays.stream(dp).boxed().toList();
    return new BundleRow(
        "p", "wmean", 10_000L, 1000, 200, 0.5, false, "wmean", 65536, i, endMs, values);
  }
}
