package dev.rondo.embedded;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A child process that logs to a file. It runs in a separate session (if {@code setsid} exists), so
 * that Ctrl-C in the terminal reaches only the parent, which then ends its children in order.
 */
public final class ChildProcess implements RunningProcess {
  /** Time between SIGTERM and SIGKILL. */
  private static final Duration GRACE = Duration.ofSeconds(20);

  private static final Duration POLL = Duration.ofMillis(50);

  /** The archive also includes classes that a JVM loads in its first seconds of work. */
  private static final Duration WARM_UP = Duration.ofSeconds(5);

  private static final int TAIL_BYTES = 64 * 1024;
  private static final int TAIL_LINES = 15;
  private static final int TAIL_ERRORS = 5;
  private static final Pattern ERROR = Pattern.compile("\\b(ERROR|FATAL)\\b|Exception: ");

  private static volatile ChildObserver observer = ChildObserver.NONE;

  private final String name;
  private final Process process;
  private final Path log;
  private final Runnable requestEnd;
  private final Optional<ClassRecording> recording;

  private ChildProcess(
      String name,
      Process process,
      Path log,
      Runnable requestEnd,
      Optional<ClassRecording> recording) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.requestEnd = requestEnd == null ? process::destroy : requestEnd;
    this.recording = recording;
  }

  /** Sets the observer of all children that this JVM starts from now on. */
  public static void observe(ChildObserver next) {
    observer = next;
  }

  /**
   * Starts {@code command} in {@code directory}, appending its output to the log. SIGTERM ends it.
   *
   * @param environment added to this process' environment
   */
  public static ChildProcess start(
      String name,
      List<String> command,
      Map<String, String> environment,
      Path directory,
      Launch launch) {
    return start(name, command, environment, directory, launch, null);
  }

  /** Like the method above, with another way to end the process. */
  static ChildProcess start(
      String name,
      List<String> command,
      Map<String, String> environment,
      Path directory,
      Launch launch,
      Runnable requestEnd) {
    Path log = launch.log();
    try {
      Files.createDirectories(log.toAbsolutePath().getParent());
      var recording = ClassRecording.of(ClassArchives.ofEnvironment(), command);
      var recorded = recording.map(each -> each.command(command)).orElse(command);
      var builder = new ProcessBuilder(Commands.inOwnSession(recorded));
      builder.directory(directory.toFile());
      launch.environment().accept(builder.environment());
      builder.environment().putAll(environment);
      builder.redirectErrorStream(true);
      builder.redirectInput(new File("/dev/null"));
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      var child = new ChildProcess(name, builder.start(), log, requestEnd, recording);
      var unused =
          child.process.onExit().thenRun(() -> recording.ifPresent(ClassRecording::delete));
      if (!OpenAtExit.add(child)) {
        child.kill();
        throw new IllegalStateException(name + " was not started: this JVM is ending");
      }
      launch.spawned().accept(child.process());
      observer.started(child);
      return child;
    } catch (IOException e) {
      throw new UncheckedIOException("could not start " + name + ": " + e.getMessage(), e);
    }
  }

  public String name() {
    return name;
  }

  @Override
  public ProcessHandle process() {
    return process.toHandle();
  }

  public Path log() {
    return log;
  }

  /** Whether the process answers; an exception means that it does not yet. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws Exception;
  }

  /**
   * Waits until {@code ready} holds; otherwise kills the process.
   *
   * @throws StartFailedException if the process ends, or is not ready within {@code bound}
   */
  public void awaitReady(Duration bound, Condition ready) {
    long start = System.nanoTime();
    try {
      await(start + bound.toNanos(), bound, ready);
    } finally {
      observer.awaited(this, Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private void await(long deadline, Duration bound, Condition ready) {
    Exception last = null;
    while (System.nanoTime() < deadline) {
      if (!process.isAlive()) {
        OpenAtExit.remove(this);
        throw failed(
            "%s ended with exit code %d before it was ready".formatted(name, process.exitValue()),
            null);
      }
      try {
        last = tryOnce(ready);
        if (last == null) {
          archiveClasses(WARM_UP);
          return;
        }
        Thread.sleep(POLL.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        kill();
        throw failed(name + " was interrupted before it was ready", null);
      }
    }
    kill();
    throw failed("%s was not ready within %d s".formatted(name, bound.toSeconds()), last);
  }

  /**
   * Writes an archive of the loaded classes for the next start, in the background, if the process
   * is a JVM without one. {@link #awaitReady} calls it.
   */
  public void archiveClasses(Duration delay) {
    recording.ifPresent(each -> each.finish(delay, process.toHandle()));
  }

  /**
   * Waits until the process ends on its own, and returns its exit code.
   *
   * @throws IllegalStateException if it still runs after {@code bound}
   */
  public int awaitEnd(Duration bound) {
    try {
      if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(
            "%s still runs after %d s".formatted(name, bound.toSeconds()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    OpenAtExit.remove(this);
    return process.exitValue();
  }

  /** Returns null if the condition holds, otherwise the reason. */
  private static Exception tryOnce(Condition ready) throws InterruptedException {
    try {
      return ready.holds() ? null : new IllegalStateException("no answer yet");
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return e;
    }
  }

  /** SIGKILL to the process and its children; returns when all are gone. */
  @Override
  public void kill() {
    kill(ProcessTree.of(process.toHandle()));
  }

  /** Ends the process, and kills it after 20 s. */
  @Override
  public void close() {
    if (process.isAlive()) {
      var tree = ProcessTree.of(process.toHandle());
      end();
      tree.endsWithin(GRACE);
      kill(tree);
    }
    OpenAtExit.remove(this);
  }

  private void kill(ProcessTree tree) {
    tree.kill();
    process.onExit().join(); // reaps the child, so that its exit code is known
    OpenAtExit.remove(this);
  }

  private void end() {
    try {
      requestEnd.run();
    } catch (RuntimeException e) {
      System.err.println("rondo: " + this + " could not be ended cleanly: " + e.getMessage());
      process.destroy();
    }
  }

  /**
   * Returns the last lines of a log file, after the last errors before them, because a failing part
   * logs its shutdown after the reason; empty if it cannot be read.
   */
  public static String tail(Path log) {
    try (var file = Files.newByteChannel(log)) {
      file.position(Math.max(0, file.size() - TAIL_BYTES));
      var bytes = Channels.newInputStream(file).readAllBytes();
      var lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
      int end = Math.max(0, lines.size() - TAIL_LINES);
      var errors = lines.subList(0, end).stream().filter(line -> ERROR.matcher(line).find());
      var shown = new ArrayList<>(errors.toList());
      shown.subList(0, Math.max(0, shown.size() - TAIL_ERRORS)).clear();
      shown.addAll(lines.subList(end, lines.size()));
      return String.join(System.lineSeparator(), shown);
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public String toString() {
    return name + " (pid " + process.pid() + ")";
  }

  private StartFailedException failed(String message, Exception cause) {
    String why = cause == null || cause.getMessage() == null ? "" : ": " + cause.getMessage();
    var failure = new StartFailedException(message + why, log, tail(log));
    failure.initCause(cause);
    return failure;
  }
}
