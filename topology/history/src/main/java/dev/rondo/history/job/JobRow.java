package dev.rondo.history.job;

import dev.rondo.history.job.JobState.Phase;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;

/**
 * The row of a job in the table {@code replay_job}, from which the query API reports it, also when
 * no process runs it. It is written when the job gets further, and deleted when it is over.
 */
final class JobRow implements AutoCloseable {
  private static final String WRITE =
      """
      insert into replay_job as stored (id, state, records, read) values (?, ?, ?, ?)
      on conflict (id) do update
        set state = excluded.state, read = greatest(stored.read, excluded.read), progressed = now()
      """;

  private static final String DELETE = "delete from replay_job where id = ?";
  private static final long WRITE_NANOS = 5_000_000_000L;

  private final Job job;
  private final WriteSession session;
  private final LongSupplier nanoTime;
  private Phase furthest;
  private boolean isPaused;
  private long read;
  private long steps;
  private boolean isFurther;
  private long writtenNanos;

  JobRow(Job job, WriteSession session, LongSupplier nanoTime) {
    this.job = job;
    this.session = session;
    this.nanoTime = nanoTime;
  }

  /**
   * Reports how far the job is. What a run does again after a failure is no progress.
   *
   * @param read records
   * @param steps of work done by the run that reports, from 0
   */
  void report(Phase phase, boolean isPaused, long read, long steps)
      throws SQLException, ExecutionException, InterruptedException {
    boolean isLater = furthest == null || phase.compareTo(furthest) > 0;
    boolean isOther = isLater || isPaused != this.isPaused;
    isFurther |= isOther || read > this.read || steps > this.steps;
    furthest = isLater ? phase : furthest;
    this.isPaused = isPaused;
    this.read = Math.max(read, this.read);
    this.steps = steps;
    if (isOther || (isFurther && nanoTime.getAsLong() - writtenNanos > WRITE_NANOS)) {
      write();
      isFurther = false;
      writtenNanos = nanoTime.getAsLong();
    }
  }

  private void write() throws SQLException, ExecutionException, InterruptedException {
    String state = isPaused ? "paused" : furthest.name().toLowerCase(Locale.ROOT);
    run(
        WRITE,
        statement -> {
          statement.setString(1, job.id());
          statement.setString(2, state);
          statement.setLong(3, job.records());
          statement.setLong(4, read);
        });
  }

  /** Deletes it: the job is over. */
  void delete() throws SQLException, ExecutionException, InterruptedException {
    run(DELETE, statement -> statement.setString(1, job.id()));
  }

  /** Sets the parameters of a statement. */
  @FunctionalInterface
  private interface Parameters {
    void set(PreparedStatement statement) throws SQLException;
  }

  private void run(String sql, Parameters parameters)
      throws SQLException, ExecutionException, InterruptedException {
    session.run(
        transactions ->
            transactions.transaction(
                connection -> {
                  try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    parameters.set(statement);
                    return statement.executeUpdate();
                  }
                }));
  }

  @Override
  public void close() {
    session.close();
  }
}
