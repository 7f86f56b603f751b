package dev.rondo.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs scripts of {@code src/test/python} in the query API's environment, which {@code ./rondo
 * test} installs with the packages that they need.
 */
public final class PythonProducer {
  private static final Path PYTHON = Path.of("../../query-api/.venv/bin/python");
  private static final Path SCRIPTS = Path.of("src/test/python");

  private PythonProducer() {}

  /** Skips the test, with a message, if Python or these packages are missing. */
  public static void assumePackages(String... packages) throws Exception {
    assumeTrue(Files.exists(PYTHON), () -> "skipped: no " + PYTHON + "; ./rondo test makes it");
    Process process = start(List.of("-c", "import " + String.join(", ", packages)));
    String output = outputOf(process);
    assumeTrue(process.waitFor() == 0, () -> "skipped: " + PYTHON + ": " + output);
  }

  /** Runs a script; throws with its output if it fails. */
  public static void run(String script, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(SCRIPTS.resolve(script).toString()));
    command.addAll(List.of(arguments));
    Process process = start(command);
    String output = outputOf(process);
    assertThat(process.waitFor()).as(script + ": " + output).isZero();
  }

  private static Process start(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(PYTHON.toString()));
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String outputOf(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
