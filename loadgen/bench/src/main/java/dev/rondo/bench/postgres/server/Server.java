package dev.rondo.bench.postgres.server;

import dev.rondo.bench.BenchException;
import dev.rondo.bench.Machine;
import dev.rondo.bench.ProcessCpu;
import dev.rondo.embedded.OpenAtExit;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.embedded.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * A PostgreSQL with Rondo's tables in a separate schema, which is dropped at the end: a started
 * server in a temporary folder, or an external one.
 */
public final class Server implements AutoCloseable {
  /** Application name of the sink's sessions, to recognise them. */
  public static final String APPLICATION = "rondo-bench-sink";

  private static final String SCHEMA = "rondo_bench";

  private final TemporaryFolder folder;
  private PostgresServer own;
  private final Address address;

  private Server(TemporaryFolder folder, PostgresServer own, Address address) {
    this.folder = folder;
    this.own = own;
    this.address = address;
  }

  /**
   * Starts a server, or connects to {@code url}, and creates the tables.
   *
   * @param url {@code postgresql://user[:password]@host[:port]/database}; null: starts a server
   * @throws BenchException if the given server cannot be used
   */
  public static Server open(String url) throws IOException, SQLException {
    if (url != null) {
      Address address = Address.parse(url);
      return new Server(null, null, address).withTables();
    }
    var folder = TemporaryFolder.create("rondo-bench-");
    PostgresServer own = PostgresServer.start(folder.path(), 0);
    Server server = new Server(folder, own, new Address(own.jdbcUrl() + "&", "rondo", ""));
    OpenAtExit.addOwner(server);
    return server.withTables();
  }

  /** Config of a sink task that writes here. */
  public Map<String, String> sinkConfig() {
    var config = new HashMap<String, String>();
    config.put("connection.url", jdbcUrl() + "&ApplicationName=" + APPLICATION);
    config.put("connection.user", own == null ? address.user() : "");
    config.put("connection.password", address.password());
    return config;
  }

  /** A session with autocommit and the schema as search path. */
  public Sql connect() throws SQLException {
    return connect("");
  }

  /**
   * Opens a session with additional parameters.
   *
   * @param parameters additional JDBC parameters, such as {@code &prepareThreshold=0}
   */
  public Sql connect(String parameters) throws SQLException {
    return new Sql(
        DriverManager.getConnection(jdbcUrl() + parameters, address.user(), address.password()));
  }

  /** Whether settings can be changed and processes are visible. */
  public boolean isOwn() {
    return own != null;
  }

  /** One line about the machine and this server. */
  public String describe(Sql sql) throws SQLException {
    return "%s; PostgreSQL %s, shared_buffers %s%s"
        .formatted(
            Machine.line(),
            sql.text("show server_version"),
            sql.text("show shared_buffers"),
            isOwn() ? "" : " (given)");
  }

  /** CPU time of all server processes, including ended ones, s; NaN if not visible. */
  public double cpuSeconds() {
    return own == null ? Double.NaN : ProcessCpu.ofTree(own.process());
  }

  /** Recreates the tables, empty, as the migrations do. */
  public void resetTables(Sql sql) throws SQLException {
    sql.execute("drop schema " + SCHEMA + " cascade");
    migrate();
  }

  /** Restarts the started server, which empties its cache. */
  public synchronized void restart() {
    own.close();
    own = PostgresServer.start(folder.path(), own.port());
  }

  @Override
  public synchronized void close() {
    if (own == null) {
      try (Sql sql = connect()) {
        sql.execute("drop schema if exists " + SCHEMA + " cascade");
      } catch (SQLException e) {
        System.err.println("rondo: schema " + SCHEMA + " could not be dropped: " + e.getMessage());
      }
      return;
    }
    OpenAtExit.remove(this);
    own.kill(); // its data are removed as well
    try {
      folder.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Server withTables() throws SQLException {
    try (Connection first =
        DriverManager.getConnection(jdbcUrl(), address.user(), address.password())) {
      if (first.getMetaData().getSchemas(null, SCHEMA).next()) {
        throw new BenchException(
            "schema %s already exists: another benchmark is running, or one was killed; drop schema %s cascade"
                .formatted(SCHEMA, SCHEMA));
      }
    } catch (SQLException e) {
      throw new BenchException("%s: %s (--postgres)".formatted(place(), e.getMessage()));
    }
    try {
      migrate();
    } catch (FlywayException e) {
      close();
      throw new BenchException(
          "could not create the tables in %s (--postgres): %s"
              .formatted(place(), e.getMessage().strip().replaceAll("\\s*\\R\\s*", " ")));
    }
    return this;
  }

  private void migrate() {
    Flyway.configure()
        .dataSource(jdbcUrl(), address.user(), address.password())
        .schemas(SCHEMA)
        .locations("classpath:dev/rondo/schemas/sql")
        .load()
        .migrate();
  }

  private String place() {
    return address.jdbcUrl().replaceFirst("^jdbc:postgresql://([^?]*).*$", "$1");
  }

  private String jdbcUrl() {
    return address.jdbcUrl() + "currentSchema=" + SCHEMA;
  }
}
