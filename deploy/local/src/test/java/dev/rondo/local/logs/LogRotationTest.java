package dev.rondo.local.logs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs of processes that continue to write. */
class LogRotationTest {
  private static final int MAX_BYTES = 1000;

  @TempDir Path folder;
  private Process process;

  @AfterEach
  void end() {
    process.destroyForcibly().onExit().join();
  }

  @Test
  void shouldKeepEveryLineOfAProcessThatContinuesToWrite() throws Exception {
    Path log = folder.resolve("part.log");
    process = start(log, "cat");
    var rotation = new LogRotation(folder, MAX_BYTES);
    List<String> lines = new ArrayList<>();
    for (int n = 0; n < LogRotation.KEPT; n++) {
      for (int line = 0; line < 100; line++) {
        lines.add("line %d of %d".formatted(line, n));
      }
      String text = String.join("\n", lines.subList(100 * n, 100 * n + 100)) + "\n";
      process.getOutputStream().write(text.getBytes(US_ASCII));
      process.getOutputStream().flush();
      await().atMost(Duration.ofMinutes(3)).until(() -> Files.size(log) == text.length());
      rotation.rotate();
      assertThat(log).isEmptyFile();
    }
    assertThat(newestLast(log)).isEqualTo(lines);
  }

  @Test
  void shouldBoundTheLogsOfAFastProcess() throws Exception {
    Path log = folder.resolve("part.log");
    process = start(log, "sh", "-c", "n=0; while :; do echo line $n; n=$((n + 1)); done");
    var rotation = new LogRotation(folder, MAX_BYTES);
    for (int n = 0; n < 2 * LogRotation.KEPT; n++) {
      await().atMost(Duration.ofMinutes(3)).until(() -> Files.size(log) >= MAX_BYTES);
      rotation.rotate();
    }
    process.destroyForcibly().onExit().join();
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(1 + LogRotation.KEPT);
    }
    List<String> lines = new ArrayList<>();
    for (int n = LogRotation.KEPT; n > 0; n--) {
      List<String> previous = Files.readAllLines(Path.of(log + "." + n));
      lines.addAll(previous.subList(0, previous.size() - 1)); // the last one can be cut
    }
    assertThat(lines).allMatch(line -> line.matches("line \\d+"));
    assertThat(lines.stream().map(line -> Long.parseLong(line.substring(5)))).isSorted();
  }

  @Test
  void shouldNotRotateSmallLogs() throws Exception {
    Path log = Files.writeString(folder.resolve("part.log"), "few\n");
    process = start(folder.resolve("other.log"), "true");
    new LogRotation(folder, MAX_BYTES).rotate();
    assertThat(log).hasContent("few");
    assertThat(folder.resolve("part.log.1")).doesNotExist();
  }

  @Test
  void shouldKeepThePreviousLogsIfTheCopyFails() throws Exception {
    Path log = Files.writeString(folder.resolve("part.log"), "x".repeat(MAX_BYTES));
    process = start(folder.resolve("other.log"), "true");
    Path previous = Files.writeString(folder.resolve("part.log.1"), "previous\n");
    Files.createDirectories(folder.resolve("part.log.0").resolve("in the way"));
    var rotation = new LogRotation(folder, MAX_BYTES);
    assertThatThrownBy(rotation::rotate).isInstanceOf(IOException.class);
    assertThat(previous).hasContent("previous");
    assertThat(log).hasSize(MAX_BYTES);
  }

  private static Process start(Path log, String... command) throws IOException {
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  private static List<String> newestLast(Path log) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int n = LogRotation.KEPT; n > 0; n--) {
      lines.addAll(Files.readAllLines(Path.of(log + "." + n)));
    }
    lines.addAll(Files.readAllLines(log));
    return lines;
  }
}
