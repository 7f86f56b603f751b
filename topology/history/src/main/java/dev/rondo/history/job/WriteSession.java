package dev.rondo.history.job;

import dev.rondo.history.slots.SlotSession;
import dev.rondo.history.slots.SlotWriter;
import dev.rondo.history.slots.SlotWriter.Slots;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** A session with PostgreSQL that begins anew, with its work, while PostgreSQL is away. */
final class WriteSession implements AutoCloseable {
  /** Classes of SQLSTATE of a server that is away, or has no room now. */
  private static final Set<String> AWAY = Set.of("08", "53", "57");

  /** Rows that a transaction writes. */
  static final int ROWS_OF_A_TRANSACTION = 500;

  private static final int STATE_LENGTH = 5;
  private static final int RECONNECT_MS = 2_000;

  private final Connect connect;
  private final Consumer<String> out;
  private SlotSession session;
  private boolean wasAway;

  /** Opens a connection. */
  @FunctionalInterface
  interface Connect {
    Connection open() throws IOException, SQLException;
  }

  /** Transactions; they may be run again. */
  @FunctionalInterface
  interface Work {
    void run(SlotSession session) throws SQLException, ExecutionException, InterruptedException;
  }

  WriteSession(Connect connect, Consumer<String> out) {
    this.connect = connect;
    this.out = out;
  }

  /** Runs transactions until all have succeeded. */
  void run(Work work) throws SQLException, ExecutionException, InterruptedException {
    while (true) {
      try {
        if (session == null) {
          session = SlotSession.open(connect.open());
        }
        work.run(session);
        return;
      } catch (SQLException e) {
        if (!isAway(e)) {
          throw e;
        }
        out.accept("PostgreSQL failed, next attempt in 2 s: %s".formatted(e.getMessage()));
        wasAway = true;
        close();
        Thread.sleep(RECONNECT_MS);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Writes slots, in transactions of some rows. */
  void write(SlotWriter writer, List<Slots> slots)
      throws SQLException, ExecutionException, InterruptedException {
    for (int from = 0; from < slots.size(); from += ROWS_OF_A_TRANSACTION) {
      var some = slots.subList(from, Math.min(slots.size(), from + ROWS_OF_A_TRANSACTION));
      run(transactions -> transactions.transaction(connection -> writer.write(connection, some)));
    }
  }

  /**
   * Whether PostgreSQL has been away since the last call, which it asks. It may have come back
   * without what was written: restored from a backup, or as a replica that was behind.
   */
  boolean wasAway() throws SQLException, ExecutionException, InterruptedException {
    run(transactions -> transactions.transaction(WriteSession::ask));
    boolean was = wasAway;
    wasAway = false;
    return was;
  }

  private static boolean ask(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute("select 1");
    }
  }

  private static boolean isAway(SQLException e) {
    String state = e.getSQLState();
    return state != null && state.length() == STATE_LENGTH && AWAY.contains(state.substring(0, 2));
  }

  @Override
  public void close() {
    if (session != null) {
      try {
        session.connection().close();
      } catch (SQLException e) {
        // it was broken already
      }
      session = null;
    }
  }
}
