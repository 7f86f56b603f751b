package dev.rondo.connect.postgres.connection;

import dev.rondo.connect.postgres.config.ConnectionUrl;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.errors.NoConnectionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection of a task: opened when first asked for, autocommit off. Every wait on it is
 * bounded, on both sides: a backend whose client is gone must not keep its locks. One thread.
 */
public final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private final PostgresSinkConfig config;
  private volatile Connection open; // metrics are read by other threads
  private final AtomicLong connects = new AtomicLong();

  public Database(PostgresSinkConfig config) {
    this.config = config;
  }

  /**
   * The open connection, or a new one.
   *
   * @throws NoConnectionException when none is to be had
   */
  public Connection connection() throws SQLException {
    if (open == null) {
      Connection opened = null;
      try {
        opened = connect();
        SessionBounds.set(opened, config.socketTimeoutMs());
        // Whatever the server's or the role's default is: a statement that has waited for a lock
        // goes on with what the other transaction has written.
        opened.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        opened.setAutoCommit(false);
      } catch (SQLException e) {
        closeQuietly(opened);
        throw new NoConnectionException(e);
      }
      open = opened;
      connects.incrementAndGet();
      LOG.info("connected to {}", this);
    }
    return open;
  }

  /** Whether a connection is open; the server may be gone all the same. Any thread. */
  public boolean isOpen() {
    return open != null;
  }

  /** How often one was opened. Any thread. */
  public long connects() {
    return connects.get();
  }

  /** Ends a failed transaction. The connection is kept if it still answers. */
  public void rollback() {
    try {
      if (open != null) {
        open.rollback();
      }
    } catch (SQLException e) {
      LOG.debug("connection to {} is gone", this, e);
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
    return ConnectionUrl.place(config.url());
  }

  private Connection connect() throws SQLException {
    // Not DriverManager: it does not see a driver in a plugin's own class loader.
    Connection opened = new Driver().connect(config.url(), properties());
    if (!ConnectionUrl.sets(config.url(), PGProperty.SOCKET_TIMEOUT)) {
      opened.setNetworkTimeout(Runnable::run, config.socketTimeoutMs());
    }
    return opened;
  }

  /** What connection.url says itself goes before this. */
  private Properties properties() {
    var properties = new Properties();
    int hosts = ConnectionUrl.hosts(config.url());
    int waitS = seconds(config.connectTimeoutMs());
    PGProperty.APPLICATION_NAME.set(properties, "rondo-postgres-sink");
    PGProperty.TCP_KEEP_ALIVE.set(properties, true);
    PGProperty.REWRITE_BATCHED_INSERTS.set(properties, true); // a fifth faster: many rows a message
    PGProperty.CONNECT_TIMEOUT.set(properties, waitS);
    // Until the connection stands: a host that takes it and then is silent must not keep us from
    // the next one.
    PGProperty.SOCKET_TIMEOUT.set(properties, waitS);
    PGProperty.LOGIN_TIMEOUT.set(properties, waitS * hosts + 1);
    if (hosts > 1) {
      PGProperty.TARGET_SERVER_TYPE.set(properties, "primary"); // the others take no writes
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
      LOG.debug("closing the connection to {}", this, e);
    }
  }

  private static int seconds(int ms) {
    return (ms + 999) / 1000;
  }
}
