package dev.rondo.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.harness.Door;
import dev.rondo.harness.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * All points that are sent in a scenario: the load that goes on meanwhile, and what comes beside.
 */
public final class Loads {
  private final Door door;
  private final String scenario;
  private final LoadOptions options;
  private final List<Load> all = new ArrayList<>();
  private final Set<String> topics = new LinkedHashSet<>();

  public Loads(Door door, String scenario, LoadOptions options) {
    this.door = door;
    this.scenario = scenario;
    this.options = options;
  }

  public LoadOptions options() {
    return options;
  }

  /** Returns when it sends. */
  public Load begin(LoadOptions.Run run) throws IOException, InterruptedException {
    String name = "%s-%s-%d".formatted(scenario, run.name(), all.size() + 1);
    List<String> more = new ArrayList<>(run.options());
    more.add("--topic=" + run.topic());
    Load load = Load.begin(door, name, more);
    topics.add(run.topic());
    all.add(load);
    return load;
  }

  /** Whether nothing is sent now. */
  public boolean areOver() {
    return all.stream().allMatch(Load::isOver);
  }

  /**
   * What each says in the end.
   *
   * @throws dev.rondo.harness.CommandFailedException where not all that was sent was acknowledged
   */
  public List<JsonNode> await() throws IOException, InterruptedException {
    List<JsonNode> summaries = new ArrayList<>();
    for (Load load : all) {
      summaries.add(load.await());
    }
    return summaries;
  }

  public List<Path> plans() {
    return all.stream().map(Load::plan).toList();
  }

  /** Which have been sent to. */
  public List<String> topics() {
    return List.copyOf(topics);
  }
}
