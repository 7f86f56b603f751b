package dev.rondo.connect.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.PostgresSinkConnector;
import dev.rondo.connect.postgres.harness.TcpProxy;
import dev.rondo.connect.postgres.harness.TcpProxy.Mode;
import dev.rondo.connect.postgres.harness.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigValue;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors that PostgreSQL reports for a config when the connector is created or validated. */
@Timeout(180)
class ConnectionCheckIT {
  private static final TestDatabase DATABASE = TestDatabase.ofOwnServer();
  private static List<String> rules;

  @BeforeAll
  static void prepare() throws IOException {
    DATABASE.execute(
        """
        create role checked login password 'right';
        grant select, insert, update on ds, ts, rra_bundle, applied_offset to checked;
        grant delete on ds to checked;
        grant select, delete on location_period to checked;
        grant select, insert, delete on event to checked;
        grant execute on function rondo_rename_series to checked;
        create role upgraded login;
        grant select, insert, update, delete on ds, ts, rra_bundle, applied_offset to upgraded;
        grant select, delete on location_period to upgraded;
        grant select, insert, delete on event to upgraded;
        create role unwelcome login;
        create role poor login;
        grant select on ds, ts, rra_bundle, applied_offset to poor;
        grant insert, update, delete on ds to poor;
        grant select, delete on location_period to poor;
        grant select, insert, delete on event to poor;
        create role crowded login connection limit 0;
        create role patient login;
        alter role patient set default_transaction_read_only = on;
        grant select, insert, update, delete on ds, ts, rra_bundle, applied_offset to patient;
        grant select, delete on location_period to patient;
        grant select, insert, delete on event to patient;
        grant execute on function rondo_rename_series to patient;
        """);
    Path file = DATABASE.folder().resolve("pg_hba.conf");
    rules = Files.readAllLines(file);
    Files.writeString(
        file,
        """
        host all checked 127.0.0.1/32 scram-sha-256
        host all unwelcome 127.0.0.1/32 reject
        """
            + String.join("\n", rules)
            + "\n");
    DATABASE.execute("select pg_reload_conf()");
  }

  @AfterAll
  static void restore() throws IOException {
    Files.write(DATABASE.folder().resolve("pg_hba.conf"), rules);
    DATABASE.execute("select pg_reload_conf()");
    DATABASE.execute("drop owned by checked, upgraded, poor, patient");
    DATABASE.execute("drop role checked, upgraded, unwelcome, poor, crowded, patient");
  }

  @Test
  void shouldFindNothingWrong() {
    assertThat(errors(url("rondo"), "checked", "right")).isEmpty();
    assertThat(errors(url("rondo"), "rondo", "")).isEmpty();
  }

  @Test
  void shouldReportAFunctionThatTheRoleMayNotExecute() {
    assertThat(errors(url("rondo"), "upgraded", ""))
        .hasEntrySatisfying(
            "connection.user",
            error ->
                assertThat(error)
                    .endsWith(
                        "this role may not execute rondo_rename_series; grant execute on function"
                            + " rondo_rename_series to it, or run schemas/sql/roles.sql of this"
                            + " version"));
  }

  @Test
  void shouldReportWrongPassword() {
    assertThat(errors(url("rondo"), "checked", "wrong"))
        .hasEntrySatisfying("connection.password", text -> assertThat(text).contains("[28P01]"))
        .hasSize(1);
  }

  @Test
  void shouldReportMissingPassword() {
    assertThat(errors(url("rondo"), "checked", "")).containsOnlyKeys("connection.password");
  }

  @Test
  void shouldReportUnknownRole() {
    assertThat(errors(url("rondo"), "stranger", ""))
        .hasEntrySatisfying(
            "connection.user", text -> assertThat(text).contains("stranger", "create the role"))
        .hasSize(1);
  }

  @Test
  void shouldReportRoleThatPgHbaRefuses() {
    assertThat(errors(url("rondo"), "unwelcome", "any"))
        .hasEntrySatisfying("connection.user", text -> assertThat(text).contains("pg_hba.conf"))
        .hasSize(1);
  }

  @Test
  void shouldReportUnknownDatabase() {
    assertThat(errors(url("nowhere"), "rondo", ""))
        .hasEntrySatisfying("connection.url", text -> assertThat(text).contains("nowhere"))
        .hasSize(1);
  }

  @Test
  void shouldReportThatTlsIsRefused() {
    assertThat(errors(url("rondo?sslmode=require"), "rondo", ""))
        .hasEntrySatisfying("connection.url", text -> assertThat(text).contains("sslmode"))
        .hasSize(1);
  }

  @Test
  void shouldReportWrongParameters() {
    assertThat(errors(url("rondo?sslmode=maybe"), "rondo", "")).containsOnlyKeys("connection.url");
    assertThat(errors(url("rondo?options=-c%20no_such_thing=1"), "rondo", ""))
        .hasEntrySatisfying("connection.url", text -> assertThat(text).contains("no_such_thing"))
        .hasSize(1);
  }

  @Test
  void shouldReportAnEncodingThatIsNotUtf8() {
    DATABASE.execute(
        "create database ascii encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0");
    assertThat(errors(url("ascii"), "rondo", ""))
        .hasEntrySatisfying(
            "connection.url",
            text -> assertThat(text).contains("is SQL_ASCII, not UTF8", "create database"))
        .hasSize(1);
    DATABASE.execute("drop database ascii with (force)");
  }

  @Test
  void shouldReportMissingTables() {
    DATABASE.execute("create database unmigrated");
    assertThat(errors(url("unmigrated"), "rondo", ""))
        .hasEntrySatisfying(
            "connection.url",
            text -> assertThat(text).contains("no table ds", "no table ts", "migrations"))
        .hasSize(1);
    DATABASE.execute("drop database unmigrated with (force)");
  }

  @Test
  void shouldReportWhereTablesAreThatAreNotInTheSearchPath() {
    String url = url("rondo?currentSchema=pg_catalog");
    assertThat(errors(url, "rondo", ""))
        .hasEntrySatisfying(
            "connection.url", text -> assertThat(text).contains("schema public", "currentSchema"))
        .hasSize(1);
  }

  @Test
  void shouldReportMissingMigrations() throws SQLException {
    DATABASE.execute("create database old_schema");
    Flyway.configure()
        .dataSource(url("old_schema"), "rondo", "")
        .locations("classpath:dev/rondo/schemas/sql")
        .load()
        .migrate();
    try (Connection connection = DriverManager.getConnection(url("old_schema"), "rondo", "");
        Statement statement = connection.createStatement()) {
      statement.execute("alter table rra_bundle drop column whisper cascade");
    }
    assertThat(errors(url("old_schema"), "rondo", ""))
        .hasEntrySatisfying(
            "connection.url", text -> assertThat(text).contains("rra_bundle.whisper", "migrations"))
        .hasSize(1);
    DATABASE.execute("drop database old_schema with (force)");
  }

  @Test
  void shouldReportMissingRights() {
    assertThat(errors(url("rondo"), "poor", ""))
        .hasEntrySatisfying(
            "connection.user",
            text ->
                assertThat(text)
                    .contains("grant insert, update on ts", "insert, update on rra_bundle")
                    .doesNotContain("on ds"))
        .hasSize(1);
  }

  @Test
  void shouldTakeNothingThatPassesForAnError() throws IOException {
    assertThat(errors(url("rondo"), "crowded", "")).as("too many connections").isEmpty();
    assertThat(errors(url("rondo"), "patient", "")).as("read-only").isEmpty();
    try (var proxy = new TcpProxy(DATABASE.port())) {
      String url = "jdbc:postgresql://127.0.0.1:%d/rondo".formatted(proxy.port());
      assertThat(errors(url, "checked", "wrong")).as("through the proxy").hasSize(1);
      proxy.become(Mode.RESET);
      assertThat(errors(url, "checked", "wrong")).as("reset").isEmpty();
      assertThat(errors(url + "?sslmode=require", "checked", "wrong")).as("TLS").isEmpty();
      proxy.become(Mode.SILENT);
      assertThat(errors(url, "checked", "wrong")).as("silent").isEmpty();
    }
    assertThat(errors("jdbc:postgresql://127.0.0.1:1/rondo", "checked", "wrong"))
        .as("refused")
        .isEmpty();
    assertThat(errors("jdbc:postgresql://no.such.host.invalid/rondo", "checked", "wrong"))
        .as("unknown host")
        .isEmpty();
  }

  private static String url(String database) {
    return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(DATABASE.port(), database);
  }

  /** All errors of a key joined, by key. */
  private static Map<String, String> errors(String url, String user, String password) {
    var props =
        new HashMap<>(
            Map.of("connection.url", url, "connection.user", user, "topics", "rondo.bundle-rows"));
    props.put("connection.password", password);
    return new PostgresSinkConnector()
        .validate(props).configValues().stream()
            .filter(value -> !value.errorMessages().isEmpty())
            .collect(
                Collectors.toMap(
                    ConfigValue::name, value -> String.join("\n", value.errorMessages())));
  }
}
