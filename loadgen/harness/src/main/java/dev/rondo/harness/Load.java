package dev.rondo.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.harness.RondoCli.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A run of {@code ./rondo loadgen}. */
public final class Load {
  private static final long LOOK_MS = 50;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Running loadgen;
  private final Path plan;

  private Load(Running loadgen, Path plan) {
    this.loadgen = loadgen;
    this.plan = plan;
  }

  /**
   * Starts a load and waits until it sends: it must read the topic's metadata before the broker may
   * be killed.
   *
   * @param name of the plan; one of a load before is replaced
   * @param options for {@code ./rondo loadgen}
   * @throws CommandFailedException if it ends before
   */
  public static Load begin(RondoCli cli, String name, List<String> options)
      throws IOException, InterruptedException {
    Path plan = cli.dir().resolve("loadgen").resolve(name + ".json");
    var all = new ArrayList<>(options);
    all.addAll(List.of("--plan=" + plan, "--json"));
    Files.deleteIfExists(plan);
    var load = new Load(cli.start("loadgen", "loadgen-" + name, all), plan);
    while (!Files.exists(plan)) {
      if (load.isOver()) {
        throw load.loadgen.failed();
      }
      Thread.sleep(LOOK_MS);
    }
    return load;
  }

  public boolean isOver() {
    return !loadgen.process().isAlive();
  }

  public ProcessHandle process() {
    return loadgen.process().toHandle();
  }

  public Path plan() {
    return plan;
  }

  /** Planned time of the first point, epoch ms. */
  public long startMs() throws IOException {
    return JSON.readTree(Files.readString(plan)).get("start_ms").asLong();
  }

  /**
   * Ends it now and returns the summary; the plan then records what was sent.
   *
   * @throws CommandFailedException if a point was not acknowledged
   */
  public JsonNode end() throws IOException, InterruptedException {
    process().destroy();
    return await();
  }

  /**
   * Waits for the end and returns the summary.
   *
   * @throws CommandFailedException if a point was not acknowledged
   */
  public JsonNode await() throws IOException, InterruptedException {
    if (loadgen.await() != 0) {
      throw loadgen.failed();
    }
    return JSON.readTree(loadgen.output());
  }
}
