package dev.rondo.testbed;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where the time of this JVM's tests goes: a JSON object a line in {@code target/test-journal} of
 * the checkout, which the report of a run adds up.
 *
 * <pre>
 * {"module": "topology/streams", "class": "dev.rondo.topology.TopologyIT", "kind": "start", "what": "kafka", "ms": 1234}
 * </pre>
 */
final class Journal {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Journal OF_THIS_JVM = new Journal(Checkout.root(), Checkout.module());

  private final Path file;
  private final String module;

  Journal(Path root, String module) {
    this.file =
        root.resolve("target/test-journal")
            .resolve(
                "%s-%d.jsonl".formatted(module.replace('/', '-'), ProcessHandle.current().pid()));
    this.module = module;
  }

  static Journal ofThisJvm() {
    return OF_THIS_JVM;
  }

  /** A test of {@code testClass} has waited for a server or a part to answer. */
  void started(String testClass, String part, Duration waited) {
    write(testClass, "start", part, waited);
  }

  /** A test of {@code testClass} has waited for a condition. */
  void waited(String testClass, String condition, Duration waited) {
    write(testClass, "wait", condition, waited);
  }

  private synchronized void write(String testClass, String kind, String what, Duration waited) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("module", module);
    entry.put("class", testClass);
    entry.put("kind", kind);
    entry.put("what", what);
    entry.put("ms", waited.toMillis());
    try {
      Files.createDirectories(file.getParent());
      String line = JSON.writeValueAsString(entry) + "\n";
      Files.writeString(file, line, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
  }
}
