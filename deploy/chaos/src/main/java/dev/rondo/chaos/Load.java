package dev.rondo.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.chaos.Door.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A run of {@code ./rondo loadgen}. */
final class Load {
  private final Running loadgen;
  private final Path plan;

  private Load(Running loadgen, Path plan) {
    this.loadgen = loadgen;
    this.plan = plan;
  }

  /**
   * Returns when it sends: it has to see its topic before the broker may be killed.
   *
   * @param options of {@code ./rondo loadgen}
   */
  static Load begin(Door door, List<String> options) throws IOException, InterruptedException {
    Path plan = door.dir().resolve("loadgen/chaos.json");
    var all = new ArrayList<>(options);
    all.addAll(List.of("--plan=" + plan, "--json"));
    var load = new Load(door.start("loadgen", all), plan);
    while (!Files.exists(plan)) {
      if (load.isOver()) {
        throw load.loadgen.failed();
      }
      Thread.sleep(100);
    }
    return load;
  }

  boolean isOver() {
    return !loadgen.process().isAlive();
  }

  Path plan() {
    return plan;
  }

  /** What it says of itself in the end. */
  JsonNode await() throws IOException, InterruptedException {
    if (loadgen.await() != 0) {
      throw loadgen.failed();
    }
    return new ObjectMapper().readTree(loadgen.output());
  }
}
