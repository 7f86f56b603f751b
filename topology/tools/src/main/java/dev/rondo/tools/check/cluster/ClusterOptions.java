package dev.rondo.tools.check.cluster;

import dev.rondo.tools.check.cluster.TopicProposal.Kind;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.CommandProgress;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.source.InternalTopics;
import dev.rondo.topology.topics.RecordTimeBound;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Option;

/** The options of {@code --all}, and what they do: a proposed source for each topic. */
public final class ClusterOptions {
  public static final List<String> NAMES =
      List.of("--topics", "--output", "--timeout", "--consumers");

  @Option(
      names = "--topics",
      paramLabel = "REGEXP",
      defaultValue = ".*",
      description = "--all: only topics whose whole name matches (default: .*).")
  private String names;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "--all: write the sources file there; FILE must not exist.")
  private Path output;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "--all: read no further topic after this time (default: 60).")
  private int timeoutSeconds;

  @Option(
      names = "--consumers",
      paramLabel = "N",
      defaultValue = "4",
      description = "--all: consumers that read at the same time (default: 4).")
  private int consumers;

  /**
   * Proposes sources.
   *
   * @param recordsPerTopic maximum number of records of the sample of a topic
   * @param registry of the schemas of framed records: URL, or name of one in the sources file
   * @throws CommandException if an option is wrong
   */
  public ClusterCheck check(
      TopologyConfig config, int recordsPerTopic, Optional<String> registry, Clock clock)
      throws ExecutionException, InterruptedException {
    Pattern pattern = pattern();
    positive(timeoutSeconds, "--timeout");
    positive(consumers, "--consumers");
    if (output != null && Files.exists(output)) {
      throw CommandException.misuse("%s exists already (--output)".formatted(output));
    }
    InternalTopics internal = config.internalTopics();
    List<TopicProposal> proposals = new ArrayList<>();
    ClusterTopics.Found found;
    Map<String, String> weaknesses;
    try (Admin admin = Admin.create(config.admin())) {
      found = new ClusterTopics(admin, internal, clock).find(pattern);
      weaknesses = RecordTimeBound.weaknesses(admin, config, found.readable().keySet());
    }
    found
        .leaderless()
        .forEach(t -> proposals.add(TopicProposal.refused(t, Kind.WITHOUT_LEADER, "")));
    found.unreadable().forEach(t -> proposals.add(TopicProposal.refused(t, Kind.UNREADABLE, "")));
    Predicate<String> isConfigured = configured(config);
    Map<String, List<PartitionEnds>> sampled = new TreeMap<>(found.readable());
    sampled.keySet().removeIf(isConfigured);
    found.readable().keySet().stream()
        .filter(isConfigured)
        .forEach(t -> proposals.add(TopicProposal.refused(t, Kind.CONFIGURED, "")));
    var proposer = new Proposer(config, registry, clock);
    var sample =
        new ClusterSample(
            config.reader(), recordsPerTopic, consumers, Duration.ofSeconds(timeoutSeconds));
    try (var progress = new CommandProgress("topics", "topics", sampled.size())) {
      Consumer<ClusterSample.Sample> propose =
          one -> {
            proposals.add(proposer.of(one));
            progress.step();
          };
      sample.read(sampled, propose);
    }
    return ClusterCheck.of(proposals, found.internal(), weaknesses);
  }

  /** Writes the lines to the output file; returns false if there is none. */
  public boolean write(List<String> lines) throws IOException {
    if (output == null) {
      return false;
    }
    Files.write(output, lines);
    return true;
  }

  public Path output() {
    return output;
  }

  private Pattern pattern() {
    try {
      return Pattern.compile(names);
    } catch (PatternSyntaxException e) {
      throw CommandException.misuse(
          "'%s' is not a regular expression: %s (--topics)".formatted(names, e.getDescription()));
    }
  }

  private static void positive(int number, String option) {
    if (number < 1) {
      throw CommandException.misuse("%d is less than 1 (%s)".formatted(number, option));
    }
  }

  /** Whether a sources file has a source for a topic. */
  private static Predicate<String> configured(TopologyConfig config) {
    if (config.getString("sources.file").isEmpty()) {
      return topic -> false;
    }
    var rules = config.sourceRules();
    return topic -> rules.of(topic).isPresent();
  }
}
