package dev.rondo.bench.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.bench.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A load generator that runs. */
final class Load {
  private static final long LOOK_NANOS = 50_000_000;

  private final Process process;
  private final Path plan;

  private Load(Process process, Path plan) {
    this.process = process;
    this.plan = plan;
  }

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

  /** When its first point is due, epoch ms; returns as soon as its plan tells. */
  long awaitStartMs() throws IOException, InterruptedException {
    while (!Files.exists(plan)) {
      if (!isAlive()) {
        awaitWorstLagMs(); // tells why
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return new ObjectMapper().readTree(plan.toFile()).get("start_ms").asLong();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /**
   * To its end. Returns how far it was behind its plan, at the worst.
   *
   * @throws BenchException where not all that it sent was acknowledged
   */
  double awaitWorstLagMs() throws IOException, InterruptedException {
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new BenchException("the load generator failed:%n%s".formatted(said));
    }
    return new ObjectMapper().readTree(said).get("worst_lag_ms").asDouble();
  }
}
