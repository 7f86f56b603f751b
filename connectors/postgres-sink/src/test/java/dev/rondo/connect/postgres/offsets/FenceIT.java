package dev.rondo.connect.postgres.offsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connect.postgres.PostgresSinkConnector;
import dev.rondo.connect.postgres.PostgresSinkTask;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.connection.Database;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several tasks on one table: the table holds the applied offsets, and a task that is behind them
 * writes nothing.
 */
class FenceIT {
  private static final TopicPartition ROWS = new TopicPartition("rondo.bundle-rows", 0);
  private static final TopicPartition SERIES = new TopicPartition("rondo.series", 0);
  private static final String DP =
      "select i, "
          + TestDatabase.VALUES
          + " from ts where "
          + TestDatabase.HAS_SLOT
          + " order by i";
  private static final String NEXT =
      "select topic, next_offset from applied_offset order by topic desc";

  private final TestDatabase database = TestDatabase.empty();
  private final TaskContext context = new TaskContext(true);
  private final TaskContext otherContext = new TaskContext(true);
  private PostgresSinkTask task;
  private PostgresSinkTask other;

  @BeforeEach
  void start() {
    task = start(context);
    other = start(otherContext);
  }

  @AfterEach
  void stop() {
    task.stop();
    other.stop();
  }

  @Test
  void shouldBeginWhereTheGroupIsAtItsFirstStart() {
    task.put(List.of());
    task.put(List.of(row(100, 1, 0.5)));
    assertThat(context.seeks).isEmpty();
    assertThat(database.query(NEXT)).containsExactly("rondo.bundle-rows|101");
  }

  @Test
  void shouldGoOnWhereTheTableIs() {
    task.put(List.of(series(7, "a", 1), row(100, 1, 0.5)));
    other.put(List.of());
    assertThat(otherContext.seeks).isEqualTo(Map.of(ROWS, 101L, SERIES, 8L));
    other.put(List.of(row(105, 1, 2)));
    assertThat(database.query(DP)).as("a gap is legal").containsExactly("1|{2}");
    assertThat(database.query(NEXT)).containsExactly("rondo.series|8", "rondo.bundle-rows|106");
  }

  /** The group's offset is ahead, as after a restore. */
  @Test
  void shouldDropWhatIsNotNextAndAskForIt() {
    task.put(List.of(row(100, 1, 0.5)));
    other.put(List.of(row(200, 3, 3), series(9, "a", 1)));
    assertThat(database.query(DP)).containsExactly("1|{0.5}");
    assertThat(otherContext.seeks).isEqualTo(Map.of(ROWS, 101L, SERIES, 9L));
    assertThat(other.preCommit(Map.of(ROWS, new OffsetAndMetadata(201)))).isEmpty();
    other.put(List.of(row(101, 2, 2), row(200, 3, 3), series(9, "a", 1)));
    assertThat(database.query(DP)).containsExactly("1|{0.5}", "2|{2}", "3|{3}");
  }

  /**
   * A put that was read before another task wrote the next records: in one or several transactions.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 12})
  void shouldRefuseWhatIsBehind(int slots) {
    task.put(List.of(row(100, 1, 0.5), series(5, "a", 1)));
    other.put(List.of());
    List<SinkRecord> newer =
        IntStream.rangeClosed(1, slots).mapToObj(slot -> row(150 + slot, slot, 2)).toList();
    other.put(newer);
    List<String> table = database.query(DP);
    List<SinkRecord> stale =
        IntStream.rangeClosed(1, slots).mapToObj(slot -> row(100 + slot, slot, 0.5)).toList();

    assertThatThrownBy(() -> task.put(stale))
        .isInstanceOf(RetriableException.class)
        .hasMessageContaining("[fenced]")
        .hasMessageContaining("rondo.bundle-rows-0@101");
    task.put(stale);

    assertThat(database.query(DP)).isEqualTo(table);
    assertThat(context.seeks).containsEntry(ROWS, 151L + slots);
  }

  @Test
  void shouldRefuseStaleTombstone() {
    task.put(List.of(series(5, "a", 1)));
    other.put(List.of());
    other.put(List.of(retirement(6, "a"), series(7, "a", 1)));
    assertThatThrownBy(() -> task.put(List.of(retirement(6, "a"))))
        .isInstanceOf(RetriableException.class);
    task.put(List.of(retirement(6, "a")));
    assertThat(database.query("select ident ->> 'name' from ds")).containsExactly("a");
  }

  /** Delivered offsets are stored, also for partitions without records. */
  @Test
  void shouldStoreOffsetsOfWhatIsDelivered() {
    task.put(List.of());
    var delivered = Map.of(ROWS, new OffsetAndMetadata(100), SERIES, new OffsetAndMetadata(0));
    assertThat(task.preCommit(delivered)).isEqualTo(delivered);
    assertThat(database.query(NEXT)).containsExactly("rondo.series|0", "rondo.bundle-rows|100");
  }

  /** Nothing is read, but the database was restored. */
  @Test
  void shouldNoticeARestoreByItself() {
    task.put(List.of(row(100, 1, 0.5)));
    database.execute("update applied_offset set next_offset = 40");
    var delivered = Map.of(ROWS, new OffsetAndMetadata(101));
    task.preCommit(delivered);
    task.put(List.of());
    assertThat(context.seeks).containsEntry(ROWS, 40L);
    assertThat(task.preCommit(delivered)).isEmpty();
    assertThat(database.query(NEXT)).containsExactly("rondo.bundle-rows|40");
  }

  /** Nor has it read anything since its start, at which it asked for the next offsets. */
  @Test
  void shouldNoticeARestoreBeforeItsFirstRecord() {
    task.put(List.of(row(100, 1, 0.5)));
    other.put(List.of());
    other.put(List.of());
    database.execute("update applied_offset set next_offset = 40");
    var delivered = Map.of(ROWS, new OffsetAndMetadata(101));
    assertThat(other.preCommit(delivered)).isEqualTo(delivered);
    other.put(List.of());
    assertThat(otherContext.seeks).containsEntry(ROWS, 40L);
  }

  /** It was restored to before the task wrote, or replaced by an empty one: all is missing. */
  @Test
  void shouldBeginAgainWhenTheDatabaseKnowsNoOffsetAnyMore() {
    task.put(List.of());
    task.put(List.of(row(100, 1, 0.5), series(7, "a", 1)));
    database.truncate();
    task.preCommit(Map.of(ROWS, new OffsetAndMetadata(101), SERIES, new OffsetAndMetadata(8)));
    task.put(List.of());
    assertThat(context.seeks).isEqualTo(Map.of(ROWS, 0L, SERIES, 0L));
    task.put(List.of(row(0, 1, 2), series(0, "b", 1)));
    assertThat(database.query(NEXT)).containsExactly("rondo.series|1", "rondo.bundle-rows|1");
  }

  /** A rejected record is applied once it is reported, not with its neighbours. */
  @Test
  void shouldNotPassOverRejectedRecordBeforeItIsReported() {
    SinkRecord bad = series(8, "x".repeat(1_000_000), 3);
    task.put(List.of(series(7, "a", 1), bad, series(9, "b", 2)));
    assertThat(context.errant).containsExactly(bad);
    assertThat(database.query("select ident ->> 'name' from ds order by 1"))
        .containsExactly("a", "b");
    assertThat(database.query(NEXT)).containsExactly("rondo.series|8");
    task.preCommit(Map.of(SERIES, new OffsetAndMetadata(10)));
    assertThat(database.query(NEXT)).containsExactly("rondo.series|10");
  }

  /** The bundle is committed in its own transaction before the row is refused. */
  @Test
  void shouldPassOverWhatIsRejectedAtItsFirstStart() {
    database.execute("alter table ts add constraint never check (t = '-infinity')");
    try {
      SinkRecord bad = row(100, 1, 1);
      task.put(List.of(bad));
      assertThat(context.errant).containsExactly(bad);
      task.preCommit(Map.of(ROWS, new OffsetAndMetadata(101)));
      assertThat(database.query(NEXT)).containsExactly("rondo.bundle-rows|101");
      task.put(List.of());
      assertThat(context.seeks).isEmpty();
    } finally {
      database.execute("alter table ts drop constraint never");
    }
  }

  /** A topic that was deleted and recreated under the same name. */
  @Test
  void shouldTakeAllThatComesAfterKafkaHasGoneBack() {
    task.put(List.of(row(100, 1, 0.5)));
    task.put(List.of(row(0, 2, 2)));
    task.put(List.of(row(1, 3, 3)));
    assertThat(database.query(DP)).containsExactly("1|{0.5}", "2|{2}", "3|{3}");
    assertThat(database.query(NEXT)).containsExactly("rondo.bundle-rows|2");
  }

  @Test
  void shouldBeginWhereTheGroupIsPutByAnOperator() {
    task.put(List.of(row(100, 1, 0.5), series(7, "a", 1)));
    new PostgresSinkConnector().alterOffsets(database.taskConfig(), Map.of(ROWS, 50L));
    assertThat(database.query(NEXT)).containsExactly("rondo.series|8");
    other.put(List.of(row(50, 1, 7)));
    assertThat(database.query(DP)).containsExactly("1|{7}");
  }

  /** Default isolation of the role under which a fenced transaction would see the old table. */
  @ParameterizedTest
  @ValueSource(strings = {"serializable", "repeatable read", "read uncommitted"})
  void shouldSetTheIsolationLevelItDependsOn(String level) throws Exception {
    String isolation =
        "alter role rondo in database %s %%s default_transaction_isolation"
            .formatted(database.name());
    database.execute(isolation.formatted("set") + " = '%s'".formatted(level));
    try (var connection = new Database(PostgresSinkConfig.of(database.taskConfig()));
        var statement = connection.connection().createStatement();
        var shown = statement.executeQuery("show transaction_isolation")) {
      shown.next();
      assertThat(shown.getString(1)).isEqualTo("read committed");
    } finally {
      database.execute(isolation.formatted("reset"));
    }
  }

  private PostgresSinkTask start(TaskContext in) {
    PostgresSinkTask started = TaskContext.start(database.taskConfig(), in);
    started.open(List.of(ROWS, SERIES));
    return started;
  }

  private static SinkRecord row(long offset, int slot, double... dp) {
    return at(
        offset,
        Records.row(
            new BundleRow(
                "p",
                "wmean",
                10_000L,
                1000,
                4,
                0.5,
                false,
                "wmean",
                0,
                slot,
                slot * 10_000L,
                Arrays.stream(dp).boxed().toList())));
  }

  private static SinkRecord series(long offset, String ident, int pos) {
    return at(offset, Records.series(new SeriesEntry(ident, "p", 0, pos, 5L, "", "", 0L)));
  }

  private static SinkRecord retirement(long offset, String ident) {
    return at(offset, Records.retirement(ident));
  }

  private static SinkRecord at(long offset, SinkRecord record) {
    return new SinkRecord(
        record.topic(),
        record.kafkaPartition(),
        record.keySchema(),
        record.key(),
        record.valueSchema(),
        record.value(),
        offset);
  }
}
