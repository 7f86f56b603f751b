package dev.rondo.history.fill;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.PgBouncer;
import dev.rondo.history.Main;
import dev.rondo.testbed.Database;
import dev.rondo.testbed.TestBed;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
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
import java.util.function.LongFunction;

/** A database with Rondo's tables and roles; fills run in the role of their own. */
public final class FillDatabase implements AutoCloseable {
  private static final String FILLER = "test_filler";
  private static final String SINK = "test_sink";

  /** Roles belong to the whole server: one of all users of it creates them. */
  private static final String CREATE_ROLES =
      """
      do $$
      declare
        missing text;
      begin
        perform pg_advisory_xact_lock(hashtext('roles of tests'));
        foreach missing in array array['rondo_writer', 'rondo_reader', 'rondo_event_writer',
                                       'rondo_pruner', 'rondo_filler', 'test_filler', 'test_sink'] loop
          if not exists (select from pg_roles where rolname = missing) then
            execute format('create role %I', missing);
          end if;
        end loop;
        alter role test_filler login;
        alter role test_sink login;
        grant rondo_filler to test_filler;
        grant rondo_writer to test_sink;
      end
      $$
      """;

  private static final String STORE_SLOT =
      """
      insert into ts (rra_bundle_id, seg, i, t, dp)
      select id, ?, ? / step_ms % size, ?, ? from rra_bundle where id = ?
      on conflict (rra_bundle_id, seg, i) do update
        set t = excluded.t,
            dp = case when ts.t = excluded.t then rondo_merge(ts.dp, excluded.dp)
                      else excluded.dp end
        where excluded.t >= ts.t
      """;

  private final Database database = TestBed.database();
  private final Connection connection = database.connect();

  public FillDatabase() throws SQLException, IOException {
    new Database(database.port(), "postgres").execute(CREATE_ROLES);
    try (var roles = FillDatabase.class.getResourceAsStream("/dev/rondo/schemas/sql/roles.sql")) {
      execute(new String(roles.readAllBytes(), UTF_8));
    }
  }

  /** A connection of the owner. */
  public Connection connect() throws SQLException {
    return database.connect();
  }

  /** A connection of a sink. */
  public Connection connectSink() throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(SINK));
  }

  /** A connection of a filler. */
  public Connection connectFiller() throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(FILLER));
  }

  /** Its address. */
  public String fillerUrl() {
    return database.url(FILLER);
  }

  /** Puts a PgBouncer in front of it. */
  PgBouncer pooler(Path dir) throws IOException {
    return PgBouncer.start(Files.createDirectories(dir), 0, database.port(), 2, FILLER);
  }

  /** Its address behind the pooler. */
  String fillerUrl(PgBouncer pooler) {
    return new Database(pooler.port(), database.name()).url(FILLER);
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
    var arguments = new ArrayList<>(List.of("policies", "fill", "--postgres=" + fillerUrl()));
    arguments.addAll(List.of(options));
    List<String> command =
        JavaCommand.of(
            System.getProperty("java.class.path"),
            List.of(),
            Main.class.getName(),
            arguments.toArray(String[]::new));
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
  public void addSeries(String name, String policy, int seg, int pos, long startsAtMs)
      throws SQLException {
    execute(
        "insert into ds (ident, policy, seg, pos, starts_at)"
            + " values (jsonb_build_object('name', ?::text), ?, ?, ?, ?)",
        name,
        policy,
        seg,
        pos,
        new Timestamp(startsAtMs));
  }

  /** Stores a slot as a sink does. */
  public void store(Connection sink, int archive, int seg, long endMs, Double... dp)
      throws SQLException {
    execute(sink, STORE_SLOT, seg, endMs, new Timestamp(endMs), dp, archive);
    extend(sink, archive, endMs, endMs);
  }

  private static void extend(Connection sink, int archive, long firstMs, long latestMs)
      throws SQLException {
    execute(
        sink,
        "update rra_bundle set first = least(first, ?), latest = greatest(latest, ?),"
            + " created = least(created, ?) where id = ?",
        new Timestamp(firstMs),
        new Timestamp(latestMs),
        new Timestamp(firstMs),
        archive);
  }

  /** The same, as the owner. */
  public void store(int archive, int seg, long endMs, Double... dp) throws SQLException {
    store(connection, archive, seg, endMs, dp);
  }

  /** The same of each slot that ends after {@code fromMs} and not after {@code toMs}, at once. */
  public void store(int archive, int seg, long fromMs, long toMs, LongFunction<Double[]> dp)
      throws SQLException {
    long stepMs = Long.parseLong(value("select step_ms from rra_bundle where id = ?", archive));
    long firstMs = Math.floorDiv(fromMs, stepMs) * stepMs + stepMs;
    try (PreparedStatement insert = connection.prepareStatement(STORE_SLOT)) {
      long lastMs = firstMs;
      for (long endMs = firstMs; endMs <= toMs; endMs += stepMs) {
        Double[] values = dp.apply(endMs);
        if (values == null) {
          continue;
        }
        setAll(insert, seg, endMs, new Timestamp(endMs), values, archive);
        insert.addBatch();
        lastMs = endMs;
      }
      insert.executeBatch();
      extend(connection, archive, firstMs, lastMs);
    }
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
    setAll(statement, parameters);
    return statement;
  }

  private static void setAll(PreparedStatement statement, Object... parameters)
      throws SQLException {
    for (int k = 0; k < parameters.length; k++) {
      if (parameters[k] instanceof Double[] values) {
        statement.setArray(k + 1, statement.getConnection().createArrayOf("float8", values));
      } else {
        statement.setObject(k + 1, parameters[k]);
      }
    }
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
    database.close();
  }
}
