package dev.rondo.chaos.fault;

import dev.rondo.chaos.load.SourceTopics;
import dev.rondo.harness.RondoCli;
import dev.rondo.harness.RondoCli.Running;
import dev.rondo.schemas.postgres.PostgresUrl;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Backfills that run while parts are killed: they fill slots that PostgreSQL has forgotten, and add
 * points that are older than all others. One runs at a time.
 */
public final class Replays {
  /**
   * Of a few rows, every third value. Newer rows may still be written, and then only in part. A row
   * that a sink writes meanwhile is left out.
   */
  private static final String FORGET =
      """
      update ts set dp = (
        select array_agg(case when p %% 3 = %d then 'NaN' else v end order by p)
        from unnest(dp) with ordinality as each (v, p))
      where (rra_bundle_id, seg, i) in (
        select rra_bundle_id, seg, i from ts tablesample bernoulli (10)
        where t > '-infinity' and t < now() - interval '30 s'
        order by 1, 2, 3
        for update skip locked)
      """;

  private static final String BACKFILL = "backfill";

  private final RondoCli cli;
  private final Random random;
  private Running running;

  Replays(RondoCli cli, long seed) {
    this.cli = cli;
    this.random = new Random(seed);
  }

  /** Makes some of the stored slots unknown. */
  void forget(PostgresUrl url) {
    try (Connection connection = url.connect("rondo-chaos");
        Statement statement = connection.createStatement()) {
      statement.execute(FORGET.formatted(random.nextInt(3)));
    } catch (SQLException e) {
      throw new IllegalStateException("could not forget slots", e);
    }
  }

  /** Begins to fill them, unless a backfill runs. */
  void begin() throws IOException, InterruptedException {
    if (running == null || !running.process().isAlive()) {
      check();
      running = cli.start(BACKFILL, List.of("--topic=" + SourceTopics.POINTS));
    }
  }

  /** Adds the old points; the other ones wait until that is over. */
  void addOld() throws IOException, InterruptedException {
    check();
    running =
        cli.start(
            BACKFILL, List.of("--topic=" + SourceTopics.OLD, "--format=graphite", "--rate=0"));
  }

  /** SIGKILL to the command that runs, and with even chance to its workers; another resumes it. */
  void kill() throws IOException, InterruptedException {
    if (running == null || !running.process().isAlive()) {
      return;
    }
    List<ProcessHandle> workers = running.process().descendants().toList();
    running.process().destroyForcibly().waitFor();
    if (random.nextBoolean()) {
      workers.forEach(ProcessHandle::destroyForcibly);
    }
    running = cli.start("replay resume", new ArrayList<>());
  }

  /** Fills all that was forgotten; returns when it is over. */
  public void finish() throws IOException, InterruptedException {
    check();
    running = cli.start(BACKFILL, List.of("--topic=" + SourceTopics.POINTS, "--rate=0"));
    check();
  }

  /** Waits for the end of what runs. */
  private void check() throws InterruptedException {
    if (running != null && running.await() != 0) {
      throw running.failed();
    }
  }
}
