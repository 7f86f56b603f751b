package dev.rondo.history.job;

import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.DatabaseOption;
import dev.rondo.tools.command.TopologySettings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands for jobs that were started. */
public final class JobCommands {
  private static final String EXIT_CODES =
      "Exit code 0 on success, 1 when the command failed, 2 on wrong usage.";

  private JobCommands() {}

  /** What the commands share. */
  abstract static class OfJob implements Callable<Integer> {
    @Mixin final TopologySettings settings = new TopologySettings();
    @Mixin private final JobsFolder jobs = new JobsFolder();
    @Spec private CommandSpec spec;

    @Parameters(
        arity = "0..1",
        paramLabel = "JOB",
        description = "Job (default: the only unfinished one).")
    private String id;

    JobFolder folder() throws IOException {
      return JobFolder.find(jobs(), id);
    }

    boolean isNamed() {
      return id != null;
    }

    Path jobs() {
      return jobs.path(settings);
    }

    java.io.PrintWriter out() {
      return spec.commandLine().getOut();
    }

    void print(String line) {
      out().println(line);
    }

    /** A job that is not over. */
    JobFolder open() throws IOException {
      JobFolder folder = folder();
      if (folder.state().isOver()) {
        throw CommandException.misuse(
            "job %s is over: %s"
                .formatted(folder.id(), JobText.line(folder.job(), folder.state())));
      }
      return folder;
    }
  }

  /** Acts on the process that runs a job, or in its place if there is none. */
  abstract static class OfProcess extends OfJob {
    @Mixin private final DatabaseOption database = new DatabaseOption();

    JobStart start() {
      return new JobStart(settings, jobs(), database, out());
    }
  }

  /** Runs the job itself if no process does. */
  abstract static class OfRun extends OfProcess {
    /**
     * Runs the job here if its process has ended.
     *
     * @param does what its process does otherwise
     */
    int run(JobFolder folder, String does)
        throws IOException, SQLException, ExecutionException, InterruptedException {
      if (folder.isRunning()) {
        print("Job %s %s.".formatted(folder.id(), does));
        return ExitCode.OK;
      }
      return start().resume(folder);
    }
  }

  /** Shows how far jobs are. */
  @Command(
      name = "status",
      description = "Shows how far jobs are: one, or all.",
      footer = {EXIT_CODES})
  public static final class Status extends OfJob {
    @Override
    public Integer call() throws IOException {
      List<JobFolder> all = isNamed() ? List.of(folder()) : JobFolder.all(jobs());
      if (all.isEmpty()) {
        print("there are no jobs in " + jobs());
      }
      for (JobFolder folder : all) {
        show(folder);
      }
      return ExitCode.OK;
    }

    private void show(JobFolder folder) throws IOException {
      Job job = folder.job();
      JobState state = folder.state();
      JobText.plan(job).forEach(this::print);
      String how =
          state.isOver()
              ? ""
              : !folder.isRunning()
                  ? " (its process has ended: ./rondo replay resume " + folder.id() + ")"
                  : folder.isPaused() ? " (paused)" : "";
      Instant updated = Instant.ofEpochMilli(state.updatedMs()).truncatedTo(ChronoUnit.SECONDS);
      print("  %s, at %s%s".formatted(JobText.line(job, state), updated, how));
    }
  }

  /** Pauses a job. */
  @Command(
      name = "pause",
      description = "Ends the workers of a job until it is resumed.",
      footer = {EXIT_CODES})
  public static final class Pause extends OfProcess {
    @Override
    public Integer call()
        throws IOException, SQLException, ExecutionException, InterruptedException {
      JobFolder folder = open();
      folder.pause(true);
      if (!folder.isRunning()) {
        start().pause(folder);
      }
      print("Job %s pauses.".formatted(folder.id()));
      return ExitCode.OK;
    }
  }

  /** Resumes a job. */
  @Command(
      name = "resume",
      description = "Resumes a job that was paused, or whose process has ended, where it stopped.",
      footer = {EXIT_CODES})
  public static final class Resume extends OfRun {
    @Override
    public Integer call()
        throws IOException, SQLException, ExecutionException, InterruptedException {
      JobFolder folder = open();
      folder.pause(false);
      return run(folder, "goes on");
    }
  }

  /** Cancels a job. */
  @Command(
      name = "cancel",
      description = "Cancels a job. Slots that it has written are kept.",
      footer = {EXIT_CODES})
  public static final class Cancel extends OfRun {
    @Override
    public Integer call()
        throws IOException, SQLException, ExecutionException, InterruptedException {
      JobFolder folder = open();
      folder.cancel();
      return run(folder, "ends");
    }
  }
}
