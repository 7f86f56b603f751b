package dev.rondo.history.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.history.fill.FillDatabase;
import dev.rondo.history.job.JobState.Phase;
import dev.rondo.rows.WriteMode;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job reports to a real PostgreSQL, in the role of its login. */
class JobRowIT {
  private static final Job JOB =
      new Job(
          "1",
          List.of(new Job.Range("points", 0, 100, 150)),
          Map.of(),
          0,
          1,
          0,
          WriteMode.FILL,
          List.of(),
          0,
          1,
          List.of());

  @TempDir Path dir;
  private FillDatabase database;
  private JobRow row;
  private long seconds;

  @BeforeEach
  void start() throws Exception {
    database = new FillDatabase();
    row = begin();
  }

  @AfterEach
  void stop() throws SQLException {
    row.close();
    database.close();
  }

  /** As a process begins that runs the job. */
  private JobRow begin() {
    return new JobRow(
        JOB, new WriteSession(database::connectFiller, line -> {}), () -> seconds * 1_000_000_000);
  }

  @Test
  void shouldTellHowFarItIsUntilItIsOver() throws Exception {
    row.report(Phase.WAITING, false, 0, 0);
    assertThat(stored()).isEqualTo("waiting 0 of 50");
    row.report(Phase.READING, false, 10, 0);
    assertThat(stored()).isEqualTo("reading 10 of 50");
    seconds = 10;
    row.report(Phase.READING, false, 20, 0);
    assertThat(stored()).isEqualTo("reading 20 of 50");

    row.close();
    row = begin();
    row.report(Phase.WAITING, false, 0, 0);
    assertThat(stored()).as("resumed").isEqualTo("waiting 20 of 50");
    row.delete();
    assertThat(database.value("select count(*) from replay_job")).isEqualTo("0");
  }

  @Test
  void shouldTellSinceWhenItStands() throws Exception {
    row.report(Phase.READING, false, 10, 3);
    assertThat(isProgress(Phase.READING, false, 10, 3)).as("the same again").isFalse();
    assertThat(isProgress(Phase.READING, false, 11, 3)).as("records").isTrue();
    assertThat(isProgress(Phase.READING, false, 11, 4)).as("rows").isTrue();
    assertThat(isProgress(Phase.WAITING, false, 0, 0)).as("a run that begins again").isFalse();
    assertThat(isProgress(Phase.READING, false, 11, 0)).as("and is where it was").isFalse();
    assertThat(isProgress(Phase.READING, false, 11, 1)).as("and writes").isTrue();
    assertThat(isProgress(Phase.READING, true, 11, 1)).as("paused").isTrue();
    assertThat(stored()).isEqualTo("paused 11 of 50");
    assertThat(isProgress(Phase.READING, true, 11, 1)).as("still paused").isFalse();
    assertThat(isProgress(Phase.READING, false, 11, 1)).as("resumed").isTrue();
    assertThat(isProgress(Phase.WRITING, false, 50, 1)).as("the next phase").isTrue();
  }

  private String stored() throws SQLException {
    return database.value(
        "select format('%s %s of %s', state, read, records) from replay_job where id = '1'");
  }

  /** Whether a report, a while after the last, counts as progress. */
  private boolean isProgress(Phase phase, boolean isPaused, long read, long steps)
      throws Exception {
    database.execute("update replay_job set progressed = 'epoch'");
    seconds += 10;
    row.report(phase, isPaused, read, steps);
    return database.value("select progressed > 'epoch' from replay_job").equals("t");
  }
}
