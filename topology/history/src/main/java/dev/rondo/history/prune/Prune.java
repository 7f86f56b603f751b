package dev.rondo.history.prune;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.connection.postgres.Session;
import dev.rondo.tools.command.CommandException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Removes what {@link Expired} finds: periods, then rows, then archives that have none left.
 *
 * <p>Each statement is a transaction, and locks one period, one archive, or rows of one segment of
 * one archive in the order of their index, which is also the order of the sink. So none can
 * deadlock with it. A statement that waits for a lock gives up after a second.
 */
public final class Prune {
  /** A row is about 1 kB: 5 MB of WAL, and locks for some tens of milliseconds. */
  private static final int BATCH_ROWS = 5000;

  private static final Duration LINE_INTERVAL = Duration.ofSeconds(10);

  /**
   * Plans that read by index, in its order. A crash may undo the last removals: the next run
   * repeats them.
   */
  private static final String[] SETTINGS = {
    "lock_timeout = '1s'",
    "synchronous_commit = off",
    "enable_seqscan = off",
    "enable_bitmapscan = off",
    "jit = off"
  };

  private final Session session;
  private final boolean dryRun;
  private final Consumer<String> out;
  private final String olderThan;
  private final String clock;

  private Prune(Connection connection, Duration olderThan, boolean dryRun, Consumer<String> out)
      throws SQLException {
    this.session = Session.open(connection, SETTINGS);
    this.dryRun = dryRun;
    this.out = out;
    this.olderThan = olderThan.toString(); // ISO 8601, which PostgreSQL reads
    this.clock = first(result -> result.getString(1), Expired.CLOCK);
  }

  /**
   * Removes what has been out of reach for {@code olderThan}.
   *
   * @param dryRun only count
   * @param out receives a line for each archive, and for the progress every ten seconds
   * @throws CommandException if the database refuses
   */
  public static Pruned run(
      PostgresUrl postgres, Duration olderThan, boolean dryRun, Consumer<String> out) {
    try (Connection connection = postgres.connect("rondo-prune")) {
      return new Prune(connection, olderThan, dryRun, out).run();
    } catch (SQLException e) {
      String advice =
          switch (String.valueOf(e.getSQLState())) {
            case "42501" ->
                "; make %s a member of rondo_pruner (schemas/sql/roles.sql)"
                    .formatted(postgres.user());
            case "42P01" -> "; --postgres names another database, or its tables are missing";
            default -> "";
          };
      throw CommandException.refused(
          "could not prune %s: %s%s"
              .formatted(
                  postgres.shown(), e.getMessage().strip().replaceAll("\\s*\\R\\s*", " "), advice));
    }
  }

  private Pruned run() throws SQLException {
    if (clock == null) {
      return Pruned.NOTHING; // nothing is stored
    }
    Pruned pruned = periods();
    for (Bundle bundle : bundles()) {
      Pruned more = rows(bundle);
      if (bundle.over()) {
        more = more.plus(archive(bundle, more));
      }
      if (!more.equals(Pruned.NOTHING)) {
        out.accept("%s: %s".formatted(bundle, more));
      }
      pruned = pruned.plus(more);
    }
    return pruned;
  }

  private Pruned periods() throws SQLException {
    List<long[]> periods =
        all(
            result -> new long[] {result.getLong(1), result.getLong(2)},
            Expired.PERIODS,
            clock,
            olderThan);
    if (dryRun) {
      return new Pruned(0, 0, 0, periods.size(), 0);
    }
    Pruned pruned = Pruned.NOTHING;
    for (long[] period : periods) {
      pruned = pruned.plus(delete(Expired.DELETE_STAY, false, period[0], period[1]));
    }
    return pruned;
  }

  private List<Bundle> bundles() throws SQLException {
    return all(
        result ->
            new Bundle(
                result.getInt("id"),
                result.getString("policy"),
                result.getString("cf"),
                result.getLong("step_ms"),
                result.getInt("size"),
                result.getString("until"),
                result.getString("latest"),
                result.getBoolean("whole"),
                result.getBoolean("over")),
        Expired.BUNDLES,
        clock,
        olderThan);
  }

  private Pruned rows(Bundle bundle) throws SQLException {
    List<Integer> segments = integers(Expired.SEGMENTS, bundle.id, bundle.id);
    if (!bundle.whole) {
      Set<Integer> livedIn =
          new HashSet<>(integers(Expired.LIVED_IN, clock, olderThan, bundle.policy, bundle.policy));
      segments.removeIf(livedIn::contains);
    }
    Pruned pruned = Pruned.NOTHING;
    long lineNanos = System.nanoTime();
    for (int s = 0; s < segments.size(); s++) {
      int segment = segments.get(s);
      if (bundle.whole || !is(Expired.HAS_MORE, bundle.id, segment, bundle.until)) {
        pruned = pruned.plus(rows(bundle, segment));
      }
      if (System.nanoTime() - lineNanos > LINE_INTERVAL.toNanos()) {
        lineNanos = System.nanoTime();
        out.accept("  %s: %d of %d segments, %s".formatted(bundle, s + 1, segments.size(), pruned));
      }
    }
    return pruned;
  }

  private Pruned rows(Bundle bundle, int segment) throws SQLException {
    int[] indexes =
        first(
            result -> new int[] {result.getInt(1), result.getInt(2)},
            Expired.INDEXES,
            bundle.id,
            segment);
    int last = indexes[1];
    Pruned pruned = Pruned.NOTHING;
    for (long i = indexes[0]; i <= last; i += BATCH_ROWS) {
      try {
        pruned =
            pruned.plus(
                first(
                    result -> new Pruned(result.getLong(1), result.getLong(2), 0, 0, 0),
                    dryRun ? Expired.COUNT : Expired.DELETE,
                    bundle.id,
                    segment,
                    (int) i,
                    (int) Math.min(last, i + BATCH_ROWS - 1),
                    bundle.until));
      } catch (SQLException e) {
        pruned = pruned.plus(inUse(e));
      }
    }
    return pruned;
  }

  /**
   * Removes an archive.
   *
   * @param rows that were removed
   */
  private Pruned archive(Bundle bundle, Pruned rows) throws SQLException {
    if (!dryRun) {
      return delete(Expired.DELETE_BUNDLE, true, bundle.id, bundle.latest);
    }
    boolean hasMore = false;
    for (int segment : integers(Expired.SEGMENTS, bundle.id, bundle.id)) {
      hasMore |= is(Expired.HAS_MORE, bundle.id, segment, bundle.until);
    }
    return hasMore || rows.left() > 0 ? Pruned.NOTHING : new Pruned(0, 0, 1, 0, 0);
  }

  private Pruned delete(String sql, boolean isArchive, Object... parameters) throws SQLException {
    try {
      int removed = transaction(PreparedStatement::executeUpdate, sql, parameters);
      return new Pruned(0, 0, isArchive ? removed : 0, isArchive ? 0 : removed, 0);
    } catch (SQLException e) {
      return inUse(e);
    }
  }

  /** A row that is locked, or an archive that has got rows meanwhile, is left for the next run. */
  private static Pruned inUse(SQLException e) throws SQLException {
    return switch (String.valueOf(e.getSQLState())) {
      case "55P03", "40P01", "23503" -> new Pruned(0, 0, 0, 0, 1);
      default -> throw e;
    };
  }

  private List<Integer> integers(String sql, Object... parameters) throws SQLException {
    return all(result -> result.getInt(1), sql, parameters);
  }

  private boolean is(String sql, Object... parameters) throws SQLException {
    return first(result -> result.getBoolean(1), sql, parameters);
  }

  /** Reads the current row. */
  @FunctionalInterface
  private interface Row<T> {
    T read(ResultSet result) throws SQLException;
  }

  /** Executes a statement. */
  @FunctionalInterface
  private interface Execution<T> {
    T of(PreparedStatement statement) throws SQLException;
  }

  private <T> T first(Row<T> row, String sql, Object... parameters) throws SQLException {
    return all(row, sql, parameters).get(0);
  }

  private <T> List<T> all(Row<T> row, String sql, Object... parameters) throws SQLException {
    return transaction(
        statement -> {
          List<T> rows = new ArrayList<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              rows.add(row.read(result));
            }
          }
          return rows;
        },
        sql,
        parameters);
  }

  private <T> T transaction(Execution<T> execution, String sql, Object... parameters)
      throws SQLException {
    return session.transaction(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int p = 0; p < parameters.length; p++) {
              statement.setObject(p + 1, parameters[p]);
            }
            return execution.of(statement);
          }
        });
  }

  /** An archive of a policy; the times are texts of PostgreSQL. */
  private record Bundle(
      int id,
      String policy,
      String cf,
      long stepMs,
      int size,
      String until,
      String latest,
      boolean whole,
      boolean over) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s %s %s s x %d",
          policy,
          cf,
          stepMs % 1000 == 0 ? "" + stepMs / 1000 : "" + stepMs / 1e3,
          size);
    }
  }
}
