package dev.rondo.bench.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A load generator that runs. */
final class Load {
  private final Process process;
  private final Path plan;

  private Load(Process process, Path plan) {
    this.process = process;
    this.plan = plan;
  }

  /**
   * What it did.
   *
   * @param points planned
   * @param acked points that the broker has acknowledged
   * @param worstLagMs how far it was behind its plan, at the worst
   * @param cpuSeconds of its process
   */
  record Report(long points, long acked, long failed, double worstLagMs, double cpuSeconds) {}

  /**
   * Begins to send; the plan is a file in the folder of {@code rondo}.
   *
   * @param name of the plan
   * @param more options of {@code ./rondo loadgen}
   */
  static Load begin(Rondo rondo, String name, Profile profile, int series, String... more)
      throws IOException {
    Path plan = rondo.dir().resolve(name + ".json");
    var arguments =
        new ArrayList<>(
            List.of(
                "loadgen",
                "--run=bench",
                "--series=" + series,
                "--batch=" + profile.batch(),
                "--keys=" + profile.keys(),
                "--plan=" + plan,
                "--json"));
    arguments.addAll(List.of(more));
    return new Load(rondo.begin(arguments.toArray(String[]::new)), plan);
  }

  Path plan() {
    return plan;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** When its first point is due, epoch ms; 0 before its plan is written. */
  long startMs() throws IOException {
    return plan.toFile().exists()
        ? new ObjectMapper().readTree(plan.toFile()).get("start_ms").asLong()
        : 0;
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  Report report() throws IOException, InterruptedException {
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new BenchFailedException("the load generator failed:%n%s".formatted(said));
    }
    JsonNode json = new ObjectMapper().readTree(said);
    return new Report(
        json.get("points").asLong(),
        json.get("acked").asLong(),
        json.get("failed").asLong(),
        json.get("worst_lag_ms").asDouble(),
        json.get("cpu_seconds").asDouble());
  }
}
