package dev.rondo.connect.postgres.connection;

import dev.rondo.connect.postgres.config.ConnectionUrl;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.errors.NoConnectionException;
import dev.rondo.connection.postgres.Encoding;
import dev.rondo.connection.postgres.PostgresUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection of a task, opened on first use, with autocommit off. Every wait is bounded, in
 * the client and in the server: a backend whose client is gone must not keep its locks. Not
 * thread-safe, unless a method says so.
 */
public final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  /** Values of sslmode with TLS, but without a proof that it ends at the server. */
  private static final Set<String> UNPROVEN_HOSTS = Set.of("require", "verify-ca");

  private final PostgresSinkConfig config;
  private volatile Connection open; // metrics are read by other threads
  private Session session;
  private final AtomicLong connects = new AtomicLong();

  public Database(PostgresSinkConfig config) {
    this.config = config;
  }

  /**
   * Returns the open connection, or opens one.
   *
   * @throws NoConnectionException when none can be opened
   */
  public Connection connection() throws SQLException {
    if (open == null) {
      Connection opened = null;
      try {
        opened = connect();
        Encoding.check(opened);
        RestoreCheck.check(opened);
        session = Session.read(opened, config.socketTimeoutMs());
        session.open(opened);
        if (session.isPooled() && !ConnectionUrl.sets(config.url(), PGProperty.PREPARE_THRESHOLD)) {
          opened.unwrap(PGConnection.class).setPrepareThreshold(0); // the next backend lacks them
        }
        opened.setAutoCommit(false);
      } catch (SQLException e) {
        closeQuietly(opened);
        throw new NoConnectionException(e);
      }
      open = opened;
      connects.incrementAndGet();
      LOG.info("Connected to {}{}", this, session.isPooled() ? " through a connection pooler" : "");
    }
    return open;
  }

  /** Returns {@link #connection} with the settings that a writing transaction needs. */
  public Connection begin() throws SQLException {
    Connection connection = connection();
    session.begin(connection);
    return connection;
  }

  /**
   * Commits without waiting for the disk; the next transaction waits for this one, too. Behind a
   * pooler it waits: a server that has crashed since may take the next transaction without this
   * one.
   */
  public void commitSoon() throws SQLException {
    if (!session.isPooled()) {
      try (Statement statement = open.createStatement()) {
        statement.execute("set local synchronous_commit = off");
      }
    }
    open.commit();
  }

  /** Whether a connection is open, even if the server is gone by now. Thread-safe. */
  public boolean isOpen() {
    return open != null;
  }

  /** Number of connections opened. Thread-safe. */
  public long connects() {
    return connects.get();
  }

  /** Rolls back a failed transaction. Keeps the connection if it still answers. */
  public void rollback() {
    try {
      if (open != null) {
        open.rollback();
      }
    } catch (SQLException e) {
      LOG.debug("Lost the connection to {}", this, e);
      close();
    }
  }

  @Override
  public void close() {
    Connection closing = open;
    open = null;
    closeQuietly(closing);
  }

  /** {@code host:port/database}. */
  @Override
  public String toString() {
    return ConnectionUrl.address(config.url());
  }

  private Connection connect() throws SQLException {
    // Not DriverManager: it does not see drivers in a plugin's class loader.
    Connection opened = new Driver().connect(config.url(), properties());
    if (!ConnectionUrl.sets(config.url(), PGProperty.SOCKET_TIMEOUT)) {
      opened.setNetworkTimeout(Runnable::run, config.socketTimeoutMs());
    }
    return opened;
  }

  /** Parameters in connection.url override these. */
  private Properties properties() {
    var properties = new Properties();
    int hosts = ConnectionUrl.hosts(config.url());
    int waitS = seconds(config.connectTimeoutMs());
    PGProperty.APPLICATION_NAME.set(properties, "rondo-postgres-sink");
    PGProperty.TCP_KEEP_ALIVE.set(properties, true);
    PGProperty.REWRITE_BATCHED_INSERTS.set(properties, true); // many rows a message: 20 % faster
    PGProperty.CONNECT_TIMEOUT.set(properties, waitS);
    // While connecting: a host that accepts and does not answer must not keep the driver from
    // trying the next one.
    PGProperty.SOCKET_TIMEOUT.set(properties, waitS);
    PGProperty.LOGIN_TIMEOUT.set(properties, waitS * hosts + 1);
    if (hosts > 1) {
      PGProperty.TARGET_SERVER_TYPE.set(properties, "primary"); // the others are read-only
    }
    PGProperty.REQUIRE_AUTH.set(properties, PostgresUrl.NEVER_SENT);
    if (UNPROVEN_HOSTS.contains(ConnectionUrl.sslMode(config.url()))
        && !config.password().value().isEmpty()) {
      PGProperty.CHANNEL_BINDING.set(properties, "require");
    }
    if (!config.user().isEmpty()) {
      PGProperty.USER.set(properties, config.user());
    }
    if (!config.password().value().isEmpty()) {
      PGProperty.PASSWORD.set(properties, config.password().value());
    }
    return properties;
  }

  private void closeQuietly(Connection closing) {
    try {
      if (closing != null) {
        closing.close();
      }
    } catch (SQLException e) {
      LOG.debug("Cannot close the connection to {}", this, e);
    }
  }

  private static int seconds(int ms) {
    return (ms + 999) / 1000;
  }
}
