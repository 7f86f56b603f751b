package dev.rondo.testbed;

import dev.rondo.embedded.ChildObserver;
import dev.rondo.embedded.ChildProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The processes that this JVM's tests have started, and what their logs say. */
final class Parts implements ChildObserver {
  private static final int LOG_LINES = 50;
  private static final int LOG_BYTES = 64 * 1024;

  private final Journal journal;
  private final List<ChildProcess> started = new ArrayList<>();
  private volatile String testClass = "";

  Parts(Journal journal) {
    this.journal = journal;
  }

  /** Forgets those that have ended: the next class begins. */
  synchronized void begin(String nextClass) {
    testClass = nextClass;
    started.removeIf(child -> !child.process().isAlive());
  }

  String testClass() {
    return testClass;
  }

  @Override
  public synchronized void started(ChildProcess child) {
    started.add(child);
  }

  @Override
  public void awaited(ChildProcess child, Duration waited) {
    journal.started(testClass, child.name(), waited);
  }

  /** State of each part, then the last lines of each log, those of the whole run's servers last. */
  synchronized String describe() {
    var text = new StringBuilder();
    Map<Path, String> logs = new LinkedHashMap<>();
    for (ChildProcess child : started) {
      String state = child.process().isAlive() ? "runs" : "has ended";
      text.append("%s %s%n".formatted(child, state));
      logs.merge(child.log(), child.name(), (one, other) -> other);
    }
    BedFile bed = BedFile.ofThisRun();
    if (bed != null) {
      logs.put(bed.dir().resolve("kafka/kafka.log"), "kafka of the whole run");
      logs.put(bed.dir().resolve("postgres/postgres.log"), "postgres of the whole run");
    }
    logs.forEach(
        (log, name) ->
            text.append("%n--- %s: last lines of %s%n%s%n".formatted(name, log, lastLines(log))));
    return text.toString();
  }

  static String lastLines(Path log) {
    try (var file = Files.newByteChannel(log)) {
      file.position(Math.max(0, file.size() - LOG_BYTES));
      var bytes = java.nio.channels.Channels.newInputStream(file).readAllBytes();
      List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    } catch (IOException e) {
      return "could not be read: " + e;
    }
  }
}
