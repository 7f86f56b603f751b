package dev.rondo.connect.postgres.errors;

import java.net.SocketTimeoutException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import org.postgresql.util.PSQLException;

/** What an SQLSTATE means for the records of a put. */
public final class SqlStates {

  /** The three fates of a failed transaction. */
  public enum Verdict {
    /** It will pass: the same records again, for ever. */
    RETRY,
    /** A record is at fault: find it, and store its neighbours. */
    REJECT,
    /** Set-up is at fault: stop, and say what to change. */
    FAIL
  }

  /** By class, the first two characters; {@link #BY_STATE} comes first. */
  private static final Map<String, Verdict> BY_CLASS =
      Map.ofEntries(
          Map.entry("08", Verdict.RETRY), // connection; whatever a pooler has no state for
          Map.entry("25", Verdict.RETRY), // read-only, or the transaction took too long
          Map.entry("26", Verdict.RETRY), // a pooler has changed the session under a statement
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
          "23503", Verdict.RETRY, // a bundle that we knew is gone: it is made again
          "23505", Verdict.RETRY, // every unique key is upserted: another task was there just now
          "3D000", Verdict.RETRY, // as 28
          "54001", Verdict.RETRY); // the server's stack, not the record

  /** A smaller transaction may get through where these end one. */
  private static final Set<String> TOO_MUCH =
      Set.of(
          "25P03", // idle in transaction
          "25P04", // transaction timeout
          "53200", // memory, or locks
          "54001", // the server's stack
          "57014"); // statement timeout

  private static final Map<String, String> ADVICE =
      Map.ofEntries(
          Map.entry(
              "08004", "check connection.user, connection.password, and TLS in connection.url"),
          Map.entry("08P01", "if that is a pooler, its log says more"),
          Map.entry(
              "25006",
              "this server takes no writes: name all servers in connection.url, with"
                  + " targetServerType=primary"),
          Map.entry("28", "check connection.user, and pg_hba.conf of the server"),
          Map.entry("28P01", "check connection.user and connection.password"),
          Map.entry("3D000", "check the database that connection.url names"),
          Map.entry(
              "3F000", "check the schema that connection.url names, and run the migrations there"),
          Map.entry(
              "42501",
              "make the role of connection.user a member of rondo_writer (schemas/sql/roles.sql)"),
          Map.entry("42", "run the migrations on the database that connection.url names"),
          Map.entry("53100", "make room on the server's disk"),
          Map.entry("53300", "raise max_connections, or the role's or database's own limit"),
          Map.entry("55P03", "another session holds a lock: see pg_locks"),
          Map.entry("57014", "see statement_timeout of the role of connection.user"));

  private SqlStates() {}

  /** The fate of the records whose transaction failed with {@code e}. */
  public static Verdict verdict(SQLException e) {
    if (e instanceof NoConnectionException || e instanceof FencedException || isStalePlan(e)) {
      return Verdict.RETRY;
    }
    String state = state(e);
    return BY_STATE.getOrDefault(state, BY_CLASS.getOrDefault(classOf(state), Verdict.FAIL));
  }

  /** Whether fewer records in a transaction may help. */
  public static boolean isTooMuch(SQLException e) {
    return !(e instanceof NoConnectionException)
        && (TOO_MUCH.contains(state(e)) || told(e).getCause() instanceof SocketTimeoutException);
  }

  /** What an operator can change: {@code "; check …"}, or empty where we know no better. */
  public static String advice(SQLException e) {
    String state = state(e);
    String advice = ADVICE.getOrDefault(state, ADVICE.get(classOf(state)));
    return advice == null ? "" : "; " + advice;
  }

  /** First SQLSTATE along the chain of exceptions; empty when there is none. */
  public static String state(SQLException e) {
    for (SQLException at = e; at != null; at = at.getNextException()) {
      if (at.getSQLState() != null) {
        return at.getSQLState();
      }
    }
    return "";
  }

  /** What the server said: a batch has its own words before that, with all the values. */
  public static SQLException told(SQLException e) {
    boolean wrapped = e instanceof BatchUpdateException || e instanceof NoConnectionException;
    return wrapped && e.getNextException() != null ? e.getNextException() : e;
  }

  /** Its words in one line: {@code ERROR: … Detail: … Hint: …}. */
  public static String text(SQLException e) {
    return String.valueOf(told(e).getMessage()).replaceAll("\\s*\\R\\s*", " ");
  }

  /** The place in the server's own source that answered; null where the driver did. */
  public static String routine(SQLException e) {
    return told(e) instanceof PSQLException answer && answer.getServerErrorMessage() != null
        ? answer.getServerErrorMessage().getRoutine()
        : null;
  }

  /** A table was altered since the statement was prepared; a new connection prepares it anew. */
  private static boolean isStalePlan(SQLException e) {
    return "RevalidateCachedQuery".equals(routine(e));
  }

  private static String classOf(String state) {
    return state.length() < 2 ? "" : state.substring(0, 2);
  }
}
