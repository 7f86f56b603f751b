package dev.rondo.host;

import dev.rondo.embedded.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The packaged collector with its libraries, in a separate JVM. */
final class CollectorProcess implements AutoCloseable {
  private static final String CLASS_PATH = "target/*:target/lib/*";

  private final Process process;
  private final Path log;

  private CollectorProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  static CollectorProcess start(Path dir, String bootstrap, String... options) throws IOException {
    var command = new ArrayList<String>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(JavaCommand.SMALL);
    command.addAll(List.of("-Xmx64m", "-cp", CLASS_PATH, "dev.rondo.host.HostCollector"));
    command.addAll(List.of("--kafka", bootstrap));
    command.addAll(List.of(options));
    Path log = dir.resolve("collector.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new CollectorProcess(process, log);
  }

  /** Returns its output so far; fails if it has ended with an error. */
  String log() {
    try {
      String text = Files.exists(log) ? Files.readString(log) : ""; // created with its first line
      if (!process.isAlive() && process.exitValue() == 1) {
        throw new IllegalStateException("the collector has failed:\n" + text);
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends SIGTERM; true if it ends within a minute. */
  boolean terminate() throws InterruptedException {
    process.destroy();
    return process.waitFor(1, TimeUnit.MINUTES);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
