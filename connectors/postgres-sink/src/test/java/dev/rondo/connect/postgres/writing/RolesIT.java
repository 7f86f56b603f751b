package dev.rondo.connect.postgres.writing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connect.postgres.changes.Ident;
import dev.rondo.connect.postgres.changes.Retirement;
import dev.rondo.connect.postgres.changes.Series;
import dev.rondo.connect.postgres.harness.GenericSink;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.rows.Bundle;
import dev.rondo.rows.Row;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.Event;
import dev.rondo.schemas.SeriesEntry;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The roles of schemas/sql/roles.sql: each may do what it needs, and no more. */
class RolesIT {
  private static TestDatabase database;

  @BeforeAll
  static void makeRoles() throws IOException {
    database = TestDatabase.ofOwnServer();
    String script = script();
    database.execute(script);
    database.execute(script); // twice, as after an upgrade
    database.execute("create role test_sink login in role rondo_writer");
    database.execute("create role test_reader login in role rondo_reader");
    database.execute("create role test_pruner login in role rondo_pruner");
    database.execute("create role test_filler login in role rondo_filler");
  }

  @AfterAll
  static void dropLogins() {
    database.execute(
        "drop role test_sink; drop role test_reader; drop role test_pruner; drop role test_filler");
  }

  @BeforeEach
  void empty() {
    TestDatabase.ofOwnServer();
  }

  @Test
  void shouldLetSinkDoAllItDoes() {
    var context = new TaskContext(true);
    var task =
        TaskContext.start(
            database.taskConfig(
                "connection.url", urlOf("test_sink"), "connection.user", "test_sink"),
            context);
    try {
      task.put(List.of(series("a", 1, 5), series("b", 2, 5), row(1, 116, 1, Double.NaN)));
      task.put(List.of(Records.event(new Event("ci-0@1#0@2", 5L, "deploy", List.of(), ""))));
      task.put(List.of(row(1, 116, Double.NaN, 2), row(1001, 116, 3))); // merges, replaces
      task.put(List.of(row(2, 200, 1, 2, 3, 4, 5, 6, 7, 8, 9), row(1001, 116, 4))); // grows
      task.put(
          List.of(
              series("c", 1, 6), series("b", 3, 7), Records.retirement("b"))); // replaces a series
    } finally {
      task.stop();
    }
    assertThat(context.reasons).isEmpty();
    assertThat(database.query("select ident ->> 'name' from ds")).containsExactly("c");
    assertThat(database.query("select i, dp[1] from ts where t > '-infinity' order by i"))
        .containsExactly("1|4", "2|1");
    assertThat(database.query("select width, latest is not null from rra_bundle"))
        .containsExactly("200|t");
  }

  @Test
  void shouldLetSinksOfOthersDoAllTheyDo() throws SQLException {
    try (Connection connection = DriverManager.getConnection(urlOf("test_sink"));
        var sink = new GenericSink(connection, GenericSink.Dialect.CONFLUENT)) {
      var key = new Row.Key(new Bundle("p", "wmean", 10_000, 2), 0, 1);
      sink.write(List.of(Records.change(new Row(key, 4, 10_000, new double[] {1}))));
      var location = new Series.Location("p", 0, 1);
      sink.write(
          List.of(new Series(Ident.parse("a"), location, 5, ""), new Retirement(Ident.parse("a"))));
    }
    assertThat(database.query("select r from tv")).isEmpty();
    assertThat(database.query("select count(*) from ts where dp[1] = 1")).containsExactly("1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "truncate ts",
        "drop table ts",
        "drop view tv",
        "alter table ts add column x integer",
        "alter table ts disable trigger all",
        "create table x ()",
        "create index on ts (t)",
        "delete from ts",
        "delete from rra_bundle",
        "drop function rondo_merge",
        "create or replace function rondo_merge(stored float8[], news float8[]) returns float8[]"
            + " return news",
        "select * from flyway_schema_history",
        "create role x",
      })
  void shouldLetSinkDoNothingElse(String sql) {
    shouldRefuse("test_sink", sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select r, ident from ds join tv on tv.ds_id = ds.id",
        "select id from rra",
        "select t, dp from ts",
        "select width from rra_bundle",
        "select next_offset from applied_offset", // ./rondo why
      })
  void shouldLetReaderRead(String sql) throws SQLException {
    execute("test_reader", sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "insert into ts values (1, 1, 1, now(), '{}')",
        "update ds set pos = pos + 1",
        "delete from ds",
        "update rra_bundle set width = 1",
        "truncate ds",
        "drop table ds",
        "create table x ()",
        "update applied_offset set next_offset = 0",
        "insert into series (ident) values ('a')",
        "insert into bundle_row (policy) values ('p')",
        "select from ts for update",
        "select from ds for update",
        "create view x as select r from tv",
      })
  void shouldLetReaderDoNothingElse(String sql) {
    shouldRefuse("test_reader", sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delete from ts where t < now()",
        "delete from rra_bundle where latest < now()",
        "delete from location_period where ends_at < now()",
        "select id, policy, seg, period from ds",
      })
  void shouldLetPrunerPrune(String sql) throws SQLException {
    execute("test_pruner", sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "insert into ts values (1, 1, 1, now(), '{}')",
        "update ts set t = t",
        "update rra_bundle set latest = now()",
        "update location_period set ends_at = now()",
        "insert into rra_bundle (policy) values ('p')",
        "truncate ts",
        "drop table ts",
        "select ident from ds",
        "delete from ds",
        "update ds set period = 0",
        "select from ts for update",
        "select from event",
        "select from branch",
        "select r from tv",
        "delete from applied_offset",
        "insert into series (ident) values ('a')",
        "create table x ()",
      })
  void shouldLetPrunerDoNothingElse(String sql) {
    shouldRefuse("test_pruner", sql);
  }

  @Test
  void shouldLetFillerSeeWhatIsApplied() throws SQLException {
    execute("test_filler", "select partition, next_offset from applied_offset");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delete from ts",
        "truncate ts",
        "delete from rra_bundle",
        "update rra_bundle set step_ms = 1",
        "update ds set pos = pos + 1",
        "delete from location_period",
        "update applied_offset set next_offset = 0",
        "create table x ()",
      })
  void shouldLetFillerDoNothingElse(String sql) { // what it may do: FillIT
    shouldRefuse("test_filler", sql);
  }

  @Test
  void shouldCloseSchemaOfDatabasesThatBeganBeforePostgres15() throws Exception {
    database.execute("grant create on schema public to public");
    execute("test_reader", "create table x (); drop table x");
    database.execute(script());
    shouldRefuse("test_reader", "create table x ()");
  }

  private static void shouldRefuse(String user, String sql) {
    assertThatThrownBy(() -> execute(user, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
  }

  private static void execute(String user, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(urlOf(user));
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String urlOf(String user) {
    return database.jdbcUrl().replace("user=rondo", "user=" + user);
  }

  private static String script() throws IOException {
    try (var stream = RolesIT.class.getResourceAsStream("/dev/rondo/schemas/sql/roles.sql")) {
      return new String(stream.readAllBytes(), UTF_8);
    }
  }

  private static SinkRecord series(String ident, int pos, long startsAtMs) {
    return Records.series(new SeriesEntry(ident, "p", 0, pos, startsAtMs, "", "", 0L));
  }

  /** The slot of this number in an archive of 1000. */
  private static SinkRecord row(long slot, int width, double... dp) {
    List<Double> values = Arrays.stream(dp).boxed().toList();
    return Records.row(
        new BundleRow(
            "p",
            "wmean",
            10_000L,
            1000,
            width,
            0.5,
            false,
            "wmean",
            0,
            (int) (slot % 1000),
            slot * 10_000,
            values));
  }
}
