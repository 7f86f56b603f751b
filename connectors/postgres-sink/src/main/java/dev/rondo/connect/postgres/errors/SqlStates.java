package dev.rondo.connect.postgres.errors;

import java.net.SocketTimeoutException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** Decides by SQLSTATE what happens to the records of a failed transaction. */
public final class SqlStates {

  /** What to do after a failed transaction. */
  public enum Verdict {
    /** The failure is transient: write the same records again, without limit. */
    RETRY,
    /** A record is at fault: find it, and store the others. */
    REJECT,
    /** The setup is wrong: stop, and say what to change. */
    FAIL
  }

  /** By class, the first two characters; {@link #BY_STATE} comes first. */
  private static final Map<String, Verdict> BY_CLASS =
      Map.ofEntries(
          Map.entry("08", Verdict.RETRY), // connection; pooler errors without their own state
          Map.entry("25", Verdict.RETRY), // read-only, or the transaction took too long
          Map.entry("26", Verdict.RETRY), // a pooler switched the session of a prepared statement
          Map.entry("28", Verdict.RETRY), // a pooler logs in when a transaction begins
          Map.entry("40", Verdict.RETRY), // serialization, deadlock
          Map.entry("53", Verdict.RETRY), // out of disk, memory, connections
          Map.entry("55", Verdict.RETRY), // locked, or in use
          Map.entry("57", Verdict.RETRY), // shut down, starting up, cancelled
          Map.entry("58", Verdict.RETRY), // input or output of the server
          Map.entry("22", Verdict.REJECT), // a value does not fit its type
          Map.entry("23", Verdict.REJECT), // a constraint
          Map.entry("54", Verdict.REJECT)); // beyond a limit of the server: an ident too long

  private static final Map<String, Verdict> BY_STATE =
      Map.of(
          "23503", Verdict.RETRY, // a cached bundle was deleted: it is created again
          "23505", Verdict.RETRY, // another task inserted the same key: this one upserts it next
          "3D000", Verdict.RETRY, // as 28
          "42P05", Verdict.RETRY, // as 26
          "54001", Verdict.RETRY); // the server's stack, not the record

  /** After these a smaller transaction may succeed. */
  private static final Set<String> TOO_LARGE =
      Set.of(
          "25P03", // idle in transaction
          "25P04", // transaction timeout
          "53200", // memory, or locks
          "54001", // the server's stack
          "57014"); // statement timeout

  /** Constraints that only an id from a sequence can violate. */
  private static final Set<String> IDS =
      Set.of("ds_pkey", "location_period_pkey", "rra_bundle_pkey");

  private static final String NO_PREPARED =
      "a connection pooler changed the backend: remove prepareThreshold from connection.url, or set"
          + " max_prepared_statements of PgBouncer 1.21";

  private static final Map<String, String> ADVICE =
      Map.ofEntries(
          Map.entry(
              "08004", "check connection.user, connection.password, and TLS in connection.url"),
          Map.entry("08P01", "if it is a connection pooler, see its log"),
          Map.entry(
              "25006",
              "this server is read-only: name all servers in connection.url, with"
                  + " targetServerType=primary"),
          Map.entry("26", NO_PREPARED),
          Map.entry("28", "check connection.user, and pg_hba.conf of the server"),
          Map.entry("28P01", "check connection.user and connection.password"),
          Map.entry("3D000", "check the database that connection.url names"),
          Map.entry(
              "3F000", "check the schema that connection.url names, and run the migrations there"),
          Map.entry(
              "42501",
              "make the role of connection.user a member of rondo_writer (schemas/sql/roles.sql)"),
          Map.entry("42P05", NO_PREPARED),
          Map.entry("42", "run the migrations on the database that connection.url names"),
          Map.entry("53100", "free disk space on the server"),
          Map.entry("53300", "raise max_connections, or the role's or database's own limit"),
          Map.entry("55P03", "another session holds a lock: see pg_locks"),
          Map.entry("57014", "see statement_timeout of the role of connection.user"));

  private SqlStates() {}

  /** Returns what to do with the records whose transaction failed with {@code e}. */
  public static Verdict verdict(SQLException e) {
    if (e instanceof NoConnectionException || e instanceof FencedException || isStalePlan(e)) {
      return Verdict.RETRY;
    }
    String state = state(e);
    return BY_STATE.getOrDefault(state, BY_CLASS.getOrDefault(classOf(state), Verdict.FAIL));
  }

  /** Whether a transaction of fewer records may succeed. */
  public static boolean isTooLarge(SQLException e) {
    return !(e instanceof NoConnectionException)
        && (TOO_LARGE.contains(state(e)) || unwrap(e).getCause() instanceof SocketTimeoutException);
  }

  /** Whether a sequence gave an id that a row has: no retry would find a free one. */
  public static boolean isTakenId(SQLException e) {
    return PSQLState.UNIQUE_VIOLATION.getState().equals(state(e))
        && unwrap(e) instanceof PSQLException answer
        && answer.getServerErrorMessage() != null
        && IDS.contains(String.valueOf(answer.getServerErrorMessage().getConstraint()));
  }

  /** Returns what an operator can change, {@code "; check …"}, or an empty text. */
  public static String advice(SQLException e) {
    String state = state(e);
    String advice = ADVICE.getOrDefault(state, ADVICE.get(classOf(state)));
    return advice == null ? "" : "; " + advice;
  }

  /** Returns the first SQLSTATE in the chain of exceptions; empty when there is none. */
  public static String state(SQLException e) {
    for (SQLException at = e; at != null; at = at.getNextException()) {
      if (at.getSQLState() != null) {
        return at.getSQLState();
      }
    }
    return "";
  }

  /** Returns the server's error without the wrapper of a batch, which repeats all values. */
  public static SQLException unwrap(SQLException e) {
    boolean wrapped = e instanceof BatchUpdateException || e instanceof NoConnectionException;
    return wrapped && e.getNextException() != null ? e.getNextException() : e;
  }

  /** Returns the server's message in one line: {@code ERROR: … Detail: … Hint: …}. */
  public static String text(SQLException e) {
    return String.valueOf(unwrap(e).getMessage()).replaceAll("\\s*\\R\\s*", " ");
  }

  /** Returns the server's source routine that raised the error; null for the driver's errors. */
  public static String routine(SQLException e) {
    return unwrap(e) instanceof PSQLException answer && answer.getServerErrorMessage() != null
        ? answer.getServerErrorMessage().getRoutine()
        : null;
  }

  /** A table was altered after the statement was prepared; a new connection prepares it again. */
  private static boolean isStalePlan(SQLException e) {
    return "RevalidateCachedQuery".equals(routine(e));
  }

  private static String classOf(String state) {
    return state.length() < 2 ? "" : state.substring(0, 2);
  }
}
