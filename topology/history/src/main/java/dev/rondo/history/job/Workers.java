package dev.rondo.history.job;

import dev.rondo.topology.config.EnvironmentSettings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The topologies of a job, each a process of its own with less priority than others. One that ends
 * is started again.
 */
final class Workers implements AutoCloseable {
  private static final long STOP_SECONDS = 30;
  private static final int POLL_MS = 50;
  private static final long BACK_OFF_NANOS = 2_000_000_000L;

  private final JobTopology topology;
  private final JobFolder folder;
  private final Process[] processes;
  private final long[] startedNanos;

  Workers(JobTopology topology, JobFolder folder, int count) {
    this.topology = topology;
    this.folder = folder;
    this.processes = new Process[count];
    this.startedNanos = new long[count];
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** Starts those that do not run. */
  void keep() throws IOException, InterruptedException {
    for (int n = 0; n < processes.length; n++) {
      boolean isDue = processes[n] == null || System.nanoTime() - startedNanos[n] > BACK_OFF_NANOS;
      if (isDue && (processes[n] == null || !processes[n].isAlive())) {
        start(n);
        startedNanos[n] = System.nanoTime();
      }
    }
  }

  private void start(int n) throws IOException, InterruptedException {
    int worker = n + 1;
    String settings = topology.write(worker).toString();
    endOrphan(pidFile(folder, worker), settings);
    List<String> command = new ArrayList<>();
    if (isOnPath("nice")) {
      command.addAll(List.of("nice", "-n", "10"));
    }
    String heap = System.getenv().getOrDefault("RONDO_REPLAY_HEAP", "1g");
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + heap,
            "-Dlog4j2.configurationFile=log4j2.properties",
            "dev.rondo.topology.Main",
            settings));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .entrySet()
        .removeIf(each -> EnvironmentSettings.isOfTopology(each.getKey(), each.getValue()));
    // not as an argument: a longer command line is not shown, and an orphan would not be recognized
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    File log = folder.dir().resolve("worker-%d.log".formatted(worker)).toFile();
    processes[n] =
        builder
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start();
    Files.writeString(pidFile(folder, worker), Long.toString(processes[n].pid()));
  }

  private static Path pidFile(JobFolder folder, int worker) {
    return folder.dir().resolve("worker-%d.pid".formatted(worker));
  }

  /** Ends the workers of a run that was killed. */
  static void endOrphans(JobTopology topology, JobFolder folder)
      throws IOException, InterruptedException {
    for (int worker = 1; worker <= folder.job().workers(); worker++) {
      endOrphan(pidFile(folder, worker), topology.settings(worker).toString());
    }
  }

  private static void endOrphan(Path pidFile, String settings)
      throws IOException, InterruptedException {
    if (!Files.exists(pidFile)) {
      return;
    }
    Optional<ProcessHandle> orphan =
        ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip()))
            .filter(
                process ->
                    process.info().arguments().map(List::of).orElse(List.of()).contains(settings));
    if (orphan.isPresent()) {
      orphan.get().destroyForcibly();
      while (orphan.get().isAlive()) {
        Thread.sleep(POLL_MS);
      }
    }
  }

  private static boolean isOnPath(String program) {
    for (String dir : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(dir, program))) {
        return true;
      }
    }
    return false;
  }

  /** Ends all; returns when they have ended. */
  void stop() throws InterruptedException {
    for (Process process : processes) {
      if (process != null) {
        process.destroy();
      }
    }
    for (int n = 0; n < processes.length; n++) {
      if (processes[n] != null && !processes[n].waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        processes[n].destroyForcibly().waitFor();
      }
      processes[n] = null;
    }
  }

  @Override
  public void close() {
    for (Process process : processes) {
      if (process != null) {
        process.destroy();
      }
    }
  }
}
