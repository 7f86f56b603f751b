package dev.rondo.tools.fill;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.embedded.PgBouncer;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import dev.rondo.tools.policies.PoliciesCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.flywaydb.core.Flyway;

/** A real PostgreSQL with Rondo's tables and roles; fills run in the role of their own. */
public final class FillDatabase implements AutoCloseable {
  private final PostgresServer server;
  private final Connection connection;

  public FillDatabase(Path dir) throws SQLException, IOException {
    server = PostgresServer.start(dir, 0);
    Flyway.configure()
        .dataSource(server.jdbcUrl(), "rondo", "")
        .locations("classpath:dev/rondo/schemas/sql")
        .load()
        .migrate();
    connection = connect();
    try (var roles = FillDatabase.class.getResourceAsStream("/dev/rondo/schemas/sql/roles.sql")) {
      execute(new String(roles.readAllBytes(), UTF_8));
    }
    execute("create role test_filler login in role rondo_filler");
    execute("create role test_sink login in role rondo_writer");
  }

  /** A connection of the owner. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(server.jdbcUrl());
  }

  /** A connection of a sink. */
  public Connection connectSink() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:%d/rondo?user=test_sink".formatted(server.port()));
  }

  /** A connection of a filler. */
  public Connection connectFiller() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:%d/rondo?user=test_filler".formatted(server.port()));
  }

  /** Its address. */
  public String fillerUrl() {
    return "postgresql://test_filler@127.0.0.1:%d/rondo".formatted(server.port());
  }

  /** Puts a PgBouncer in front of it. */
  PgBouncer pooler(Path dir) throws IOException {
    return PgBouncer.start(Files.createDirectories(dir), 0, server.port(), 2, "test_filler");
  }

  /** Runs {@code ./rondo policies fill}. */
  public CommandRun fill(String... options) {
    return fillAt(fillerUrl(), options);
  }

  /** The same at the address {@code url}. */
  CommandRun fillAt(String url, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("--postgres=" + url);
    if (all.stream().noneMatch(option -> option.startsWith("--rate"))) {
      all.add("--rate=1000000");
    }
    return CommandRun.of(Commands.commandLine(new FillCommand()), all.toArray(String[]::new));
  }

  /**
   * A process of the command, which runs until it is ended.
   *
   * @param log receives what it prints
   */
  ProcessBuilder filler(Path log, String... options) {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                PoliciesCommand.class.getName(),
                "fill",
                "--postgres=" + fillerUrl()));
    command.addAll(List.of(options));
    return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
  }

  /** Removes all series and slots. */
  public void empty() throws SQLException {
    execute("truncate rra_bundle, ds, ts, archive_fill, segment_fill restart identity");
  }

  /** Adds an archive without slots, and returns its id. */
  public int addArchive(String policy, String function, long stepMs, int size, double xff)
      throws SQLException {
    return Integer.parseInt(
        value(
            "insert into rra_bundle (policy, cf, step_ms, size, width, xff)"
                + " values (?, ?, ?, ?, 116, ?) returning id",
            policy,
            function,
            stepMs,
            size,
            xff));
  }

  /** Adds a series as a sink does. */
  public void addSeries(String name, String policy, int seg, int pos, long validFromMs)
      throws SQLException {
    execute(
        "insert into ds (ident, policy, seg, pos, valid_from)"
            + " values (jsonb_build_object('name', ?::text), ?, ?, ?, ?)",
        name,
        policy,
        seg,
        pos,
        new Timestamp(validFromMs));
  }

  /** Stores a slot as a sink does. */
  public void store(Connection sink, int archive, int seg, long endMs, Double... dp)
      throws SQLException {
    execute(
        sink,
        """
        insert into ts (rra_bundle_id, seg, i, t, dp)
        select id, ?, ? / step_ms % size, ?, ? from rra_bundle where id = ?
        on conflict (rra_bundle_id, seg, i) do update
          set t = excluded.t,
              dp = case when ts.t = excluded.t then rondo_merge(ts.dp, excluded.dp)
                        else excluded.dp end
          where excluded.t >= ts.t
        """,
        seg,
        endMs,
        new Timestamp(endMs),
        dp,
        archive);
    execute(
        sink,
        "update rra_bundle set first = least(first, ?), latest = greatest(latest, ?),"
            + " created = least(created, ?) where id = ?",
        new Timestamp(endMs),
        new Timestamp(endMs),
        new Timestamp(endMs),
        archive);
  }

  /** The same, as the owner. */
  public void store(int archive, int seg, long endMs, Double... dp) throws SQLException {
    store(connection, archive, seg, endMs, dp);
  }

  /** Known slots of a series in an archive, as queries see them. */
  public NavigableMap<Long, Double> slots(String series, int archive) throws SQLException {
    var slots = new TreeMap<Long, Double>();
    try (PreparedStatement statement =
        prepared(
            connection,
            "select t, r from ds join tv on tv.ds_id = ds.id"
                + " where ident ->> 'name' = ? and rra_bundle_id = ? and r is not null",
            series,
            archive)) {
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          slots.put(result.getTimestamp(1).getTime(), result.getDouble(2));
        }
      }
    }
    return slots;
  }

  /** Executes a statement as the owner. */
  public void execute(String sql, Object... parameters) throws SQLException {
    execute(connection, sql, parameters);
  }

  static void execute(Connection connection, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = prepared(connection, sql, parameters)) {
      statement.execute();
    }
  }

  /** The only column of the only row, as text. */
  public String value(String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = prepared(connection, sql, parameters);
        ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getString(1);
    }
  }

  private static PreparedStatement prepared(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int k = 0; k < parameters.length; k++) {
      if (parameters[k] instanceof Double[] values) {
        statement.setArray(k + 1, connection.createArrayOf("float8", values));
      } else {
        statement.setObject(k + 1, parameters[k]);
      }
    }
    return statement;
  }

  /** Known values of a model, by function, over whole slots. */
  static NavigableMap<Long, Double> consolidated(
      Map<Long, Double> finest, String function, long stepMs, double xff, long finestStepMs) {
    var inSlot = new TreeMap<Long, List<Double>>();
    new TreeMap<>(finest)
        .forEach(
            (endMs, value) ->
                inSlot
                    .computeIfAbsent(
                        (endMs + stepMs - 1) / stepMs * stepMs, each -> new ArrayList<>())
                    .add(value));
    var slots = new TreeMap<Long, Double>();
    inSlot.forEach(
        (endMs, values) -> {
          if (values.size() * finestStepMs >= xff * stepMs) {
            var numbers = values.stream().mapToDouble(Double::doubleValue);
            slots.put(
                endMs,
                switch (function) {
                  case "wmean" -> numbers.average().orElseThrow();
                  case "max" -> numbers.max().orElseThrow();
                  case "min" -> numbers.min().orElseThrow();
                  case "sum" -> numbers.sum();
                  default -> values.get(values.size() - 1);
                });
          }
        });
    return slots;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
    server.close();
  }
}
