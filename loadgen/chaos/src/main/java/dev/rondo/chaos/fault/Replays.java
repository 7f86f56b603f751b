package dev.rondo.chaos.fault;

import dev.rondo.chaos.load.SourceTopics;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.harness.RondoCli;
import dev.rondo.harness.RondoCli.Running;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Backfills and live replays that run while parts are killed: they fill slots that PostgreSQL has
 * forgotten, overwrite those that it has wrong, and add points that are older than all others. One
 * runs at a time.
 */
public final class Replays {
  /**
   * Of a few rows after one time, every third value: before it slots may have points of other
   * topics. Newer rows may still be written, and then only in part. A row that a sink writes
   * meanwhile is left out.
   */
  private static final String FORGET =
      """
      update ts set dp = (
        select array_agg(case when p %% 3 = %d then 'NaN' else v end order by p)
        from unnest(dp) with ordinality as each (v, p))
      where (rra_bundle_id, seg, i) in (
        select rra_bundle_id, seg, i from ts tablesample bernoulli (10)
        where t > to_timestamp(%d) and t < now() - interval '30 s'
        order by 1, 2, 3
        for update skip locked)
      """;

  /**
   * Of a few rows after one time and up to another, every third value that is known. The slots of
   * an hour may have points from before the load.
   */
  private static final String FALSIFY =
      """
      update ts set dp = (
        select array_agg(case when p %% 3 = %d and v <> 'NaN' then -1e9 else v end order by p)
        from unnest(dp) with ordinality as each (v, p))
      where (rra_bundle_id, seg, i) in (
        select rra_bundle_id, seg, i from ts tablesample bernoulli (10)
        where t > to_timestamp(%d) and t <= to_timestamp(%d) and extract(epoch from t) %% 3600 <> 0
        order by 1, 2, 3
        for update skip locked)
      """;

  /** After this time no slot is open: clocks, the wait for other partitions, the heartbeat. */
  private static final int CLOSED_S = 360;

  /** Points of other topics that are sent now end before: hosts may be ahead by a minute. */
  private static final int OTHERS_S = 120;

  private static final int LOOK_MS = 200;

  private static final String BACKFILL = "backfill";
  private static final String POINTS = "--topic=" + SourceTopics.POINTS;
  private static final List<String> OLD =
      List.of("--topic=" + SourceTopics.OLD, "--format=graphite", "--rate=0");

  private final RondoCli cli;
  private final Random random;
  private Running running;
  private long fromS;
  private long falsifiedToS;
  private boolean addsOld;

  Replays(RondoCli cli, long seed) {
    this.cli = cli;
    this.random = new Random(seed);
  }

  /** Makes some of the stored slots unknown, and begins to fill them, unless something runs. */
  void forget(PostgresUrl url) throws IOException, InterruptedException {
    update(url, FORGET.formatted(random.nextInt(3), fromS));
    if (isIdle()) {
      running = cli.start(BACKFILL, List.of(POINTS));
    }
  }

  /** Gives some closed slots a wrong value, and begins to overwrite them, unless something runs. */
  void falsify(PostgresUrl url) throws IOException, InterruptedException {
    long toS = System.currentTimeMillis() / 1000 - CLOSED_S;
    if (toS <= fromS) {
      return; // none is closed
    }
    falsifiedToS = toS;
    update(url, FALSIFY.formatted(random.nextInt(3), fromS, toS));
    if (isIdle()) {
      running = overwrite("--rate=20000");
    }
  }

  private Running overwrite(String rate) throws IOException {
    return cli.start(
        "replay",
        List.of(
            "--live",
            "--overwrite",
            POINTS,
            "--from=" + Instant.ofEpochSecond(fromS),
            "--to=" + Instant.ofEpochSecond(falsifiedToS),
            rate));
  }

  /** Waits until what runs has reported to PostgreSQL, or has ended. */
  void awaitReport(PostgresUrl url) throws InterruptedException {
    while (running != null && running.process().isAlive() && !isReported(url)) {
      Thread.sleep(LOOK_MS);
    }
  }

  private static boolean isReported(PostgresUrl url) {
    try (Connection connection = url.connect("rondo-chaos");
        Statement statement = connection.createStatement();
        ResultSet jobs = statement.executeQuery("select from replay_job")) {
      return jobs.next();
    } catch (SQLException e) {
      throw new IllegalStateException("could not read the jobs", e);
    }
  }

  private static void update(PostgresUrl url, String sql) {
    try (Connection connection = url.connect("rondo-chaos");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("could not change slots", e);
    }
  }

  private boolean isIdle() throws InterruptedException {
    if (running != null && running.process().isAlive()) {
      return false;
    }
    check();
    addsOld = false;
    return true;
  }

  /** Adds the old points; the other ones wait until that is over. */
  void addOld() throws IOException, InterruptedException {
    check();
    addsOld = true;
    spareOthers();
    running = cli.start(BACKFILL, OLD);
  }

  /** Falsifies no slots with points of other topics that have been sent by now. */
  void spareOthers() {
    fromS = System.currentTimeMillis() / 1000 + OTHERS_S;
  }

  /** SIGKILL to the command that runs, and with even chance to its workers; another resumes it. */
  void kill() throws IOException, InterruptedException {
    if (running == null || !running.process().isAlive()) {
      return;
    }
    running.kill(random.nextBoolean());
    running = cli.start("replay resume", new ArrayList<>());
  }

  /** Overwrites all that is wrong and fills all that was forgotten; returns when it is over. */
  public void mend() throws IOException, InterruptedException {
    check();
    if (falsifiedToS > 0) {
      running = overwrite("--rate=0");
      check();
    }
    running = cli.start(BACKFILL, List.of(POINTS, "--rate=0"));
    check();
  }

  /** The same, and all old points; a job that runs is cancelled, unless it adds those. */
  public void finish() throws IOException, InterruptedException {
    if (!addsOld && running.process().isAlive()) { // what it has not done is done below
      Running cancel = cli.start("replay cancel", new ArrayList<>());
      running.await();
      running = cancel;
    }
    mend();
    running = cli.start(BACKFILL, OLD);
    check();
  }

  /** Waits for the end of what runs. */
  private void check() throws InterruptedException {
    if (running != null && running.await() != 0) {
      throw running.failed();
    }
  }
}
