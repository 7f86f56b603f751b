package dev.rondo.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.connection.postgres.PostgresUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs {@code ./rondo} like a user. */
public final class RondoScript {
  private static final int BOUND_MINUTES = 10;
  private static final List<String> UP =
      List.of(
          "--detach",
          "--kafka-port=0",
          "--postgres-port=0",
          "--connect-port=0",
          "--connect-metrics-port=0",
          "--kafka-metrics-port=0",
          "--api-port=0",
          "--topology-port=0");

  private final Path root = Path.of(System.getProperty("rondo.root"));
  private final Path dir;
  private final Map<String, String> environment;

  /**
   * @param dir data folder for each command; null: none
   */
  public RondoScript(Path dir) {
    this(dir, Map.of());
  }

  /** Like the constructor above, with additional environment variables. */
  public RondoScript(Path dir, Map<String, String> environment) {
    this.dir = dir;
    this.environment = environment;
  }

  /**
   * The result of a command.
   *
   * @param output standard output and standard error
   */
  public record Outcome(int exitCode, String output) {}

  public Outcome run(String command, String... options) throws IOException, InterruptedException {
    return run(List.of(command), options);
  }

  /** Runs a command that may have more than one word. */
  public Outcome run(List<String> command, String... options)
      throws IOException, InterruptedException {
    var whole = new ArrayList<>(List.of(root.resolve("rondo").toString()));
    whole.addAll(command);
    if (dir != null) {
      whole.addAll(List.of("--dir", dir.toString()));
    }
    whole.addAll(List.of(options));
    Path output = Files.createTempFile("rondo-", ".out");
    try {
      var builder = new ProcessBuilder(whole).redirectErrorStream(true);
      builder.environment().put("RONDO_NO_BUILD", "1");
      builder.environment().put("RONDO_CLASS_ARCHIVES", ""); // few starts do not pay for them
      builder.environment().putAll(environment);
      var process = builder.redirectOutput(output.toFile()).start();
      if (!process.waitFor(BOUND_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError(whole + " did not end: " + Files.readString(output));
      }
      return new Outcome(process.exitValue(), Files.readString(output));
    } finally {
      Files.delete(output);
    }
  }

  /** Prunes data that have been out of reach for an hour. */
  static Outcome prune(PostgresUrl postgres) throws IOException, InterruptedException {
    return new RondoScript(null)
        .run(List.of("policies", "prune"), "--postgres=" + postgres.url(), "--older-than=1h");
  }

  /** Starts Rondo in the background on free ports, and expects it to be ready. */
  Outcome up(String... options) throws IOException, InterruptedException {
    var all = new ArrayList<>(UP);
    all.addAll(List.of(options));
    Outcome up = run("up", all.toArray(String[]::new));
    assertThat(up.exitCode()).as(up.output()).isZero();
    return up;
  }

  public JsonNode status() throws IOException, InterruptedException {
    return new ObjectMapper().readTree(run("status", "--json").output());
  }
}
