package dev.rondo.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.harness.Door.Running;
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
   * Returns when it sends: it has to see its topic before the broker may be killed.
   *
   * @param name of the plan
   * @param options of {@code ./rondo loadgen}
   * @throws CommandFailedException where it ends before
   */
  public static Load begin(Door door, String name, List<String> options)
      throws IOException, InterruptedException {
    Path plan = door.dir().resolve("loadgen").resolve(name + ".json");
    var all = new ArrayList<>(options);
    all.addAll(List.of("--plan=" + plan, "--json"));
    var load = new Load(door.start("loadgen", "loadgen-" + name, all), plan);
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

  /** When its first point is due, epoch ms. */
  public long startMs() throws IOException {
    return JSON.readTree(Files.readString(plan)).get("start_ms").asLong();
  }

  /**
   * What it says of itself in the end.
   *
   * @throws CommandFailedException where not all that it sent was acknowledged
   */
  public JsonNode await() throws IOException, InterruptedException {
    if (loadgen.await() != 0) {
      throw loadgen.failed();
    }
    return JSON.readTree(loadgen.output());
  }
}
