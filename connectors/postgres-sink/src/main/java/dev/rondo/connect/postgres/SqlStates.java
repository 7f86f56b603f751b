package dev.rondo.connect.postgres;

import java.sql.SQLException;
import java.util.Map;

/** What an SQLSTATE means for the records of a put. */
final class SqlStates {

  /** The three fates of a failed transaction. */
  enum Verdict {
    /** It will pass: the same records again, for ever. */
    RETRY,
    /** A record is at fault: find it, and store its neighbours. */
    REJECT,
    /** Set-up is at fault: stop, and say what to change. */
    FAIL
  }

  /** By class, the first two characters; {@link #BY_STATE} comes first. */
  private static final Map<String, Verdict> BY_CLASS =
      Map.of(
          "08", Verdict.RETRY, // connection
          "40", Verdict.RETRY, // serialization, deadlock
          "53", Verdict.RETRY, // out of disk, memory, connections
          "57", Verdict.RETRY, // shut down, starting up, cancelled
          "58", Verdict.RETRY, // input or output of the server
          "22", Verdict.REJECT, // a value does not fit its type
          "23", Verdict.REJECT, // a constraint
          "54", Verdict.REJECT); // a value beyond a limit of the server: an ident too long to index

  private static final Map<String, Verdict> BY_STATE =
      Map.of(
          "08004", Verdict.FAIL, // the driver's word for: a password or TLS is asked for
          "23505", Verdict.RETRY, // every unique key is upserted: another task was there just now
          "25006", Verdict.RETRY, // read-only: a standby that is not promoted yet
          "55P03", Verdict.RETRY); // a lock was not to be had in time

  private static final Map<String, String> ADVICE =
      Map.of(
          "08004", "check connection.user, connection.password, and TLS in connection.url",
          "28", "check connection.user and connection.password, and pg_hba.conf of the server",
          "3D000", "check the database that connection.url names",
          "3F", "check the schema that connection.url names, and whether its migrations have run",
          "42501", "grant the role of connection.user select, insert, update, delete on the tables",
          "42", "run the migrations on the database that connection.url names");

  private SqlStates() {}

  /** The fate of the records whose transaction failed with {@code e}. */
  static Verdict verdict(SQLException e) {
    String state = state(e);
    return BY_STATE.getOrDefault(state, BY_CLASS.getOrDefault(classOf(state), Verdict.FAIL));
  }

  /** What an operator can change: {@code "; check …"}, or empty where we know no better. */
  static String advice(SQLException e) {
    String state = state(e);
    String advice = ADVICE.getOrDefault(state, ADVICE.get(classOf(state)));
    return advice == null ? "" : "; " + advice;
  }

  /** First SQLSTATE along the chain of exceptions; empty when there is none. */
  static String state(SQLException e) {
    for (SQLException at = e; at != null; at = at.getNextException()) {
      if (at.getSQLState() != null) {
        return at.getSQLState();
      }
    }
    return "";
  }

  private static String classOf(String state) {
    return state.length() < 2 ? "" : state.substring(0, 2);
  }
}
