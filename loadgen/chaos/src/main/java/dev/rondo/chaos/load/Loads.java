package dev.rondo.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.harness.Load;
import dev.rondo.harness.RondoCli;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** All loads of a scenario: the continuous load and additional ones. */
public final class Loads {
  private final RondoCli cli;
  private final String scenario;
  private final LoadOptions options;
  private final List<Load> all = new ArrayList<>();
  private final Set<String> topics = new LinkedHashSet<>();

  public Loads(RondoCli cli, String scenario, LoadOptions options) {
    this.cli = cli;
    this.scenario = scenario;
    this.options = options;
  }

  public LoadOptions options() {
    return options;
  }

  /** Starts a load; returns when it sends. */
  public Load begin(LoadOptions.Run run) throws IOException, InterruptedException {
    String name = "%s-%s-%d".formatted(scenario, run.name(), all.size() + 1);
    List<String> more = new ArrayList<>(run.options());
    more.add("--topic=" + run.topic());
    Load load = Load.begin(cli, name, more);
    topics.add(run.topic());
    all.add(load);
    return load;
  }

  /**
   * Sends a load that is lost before it is read, so that nothing of it is expected; returns the
   * number of its records.
   */
  public long lose(LoadOptions.Run run) throws IOException, InterruptedException {
    List<String> more = new ArrayList<>(run.options());
    more.add("--topic=" + run.topic());
    return Load.begin(cli, "%s-lost".formatted(scenario), more).await().get("records").asLong();
  }

  /** Whether all loads have ended. */
  public boolean areOver() {
    return all.stream().allMatch(Load::isOver);
  }

  /**
   * Waits for all loads and returns their summaries.
   *
   * @throws dev.rondo.harness.CommandFailedException if a point was not acknowledged
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

  /** Sources that have received points. */
  public List<String> topics() {
    return topics.stream().filter(topic -> !topic.equals(SourceTopics.OLD)).toList();
  }
}
