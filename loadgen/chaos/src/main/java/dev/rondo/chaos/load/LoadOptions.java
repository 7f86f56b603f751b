package dev.rondo.chaos.load;

import java.util.ArrayList;
import java.util.List;

/**
 * What {@code ./rondo loadgen} is to send.
 *
 * @param rate points a second of the load that goes on meanwhile
 * @param seconds how long it does
 * @param clockSkew most that the clocks of hosts are off, as of {@code --clock-skew}
 * @param timestampTypes of the topics to which points of clocks that are off are sent, each a part
 * @param partitions of the topics that are made
 */
public record LoadOptions(
    long seed,
    double rate,
    int series,
    double seconds,
    String shape,
    int batch,
    String clockSkew,
    List<String> timestampTypes,
    int partitions) {
  /** Senders that were offline have kept as many times more than the load lasts. */
  private static final double KEPT = 12;

  /** As Kafka's producer is where nobody sets it: small batches, not compressed. */
  private static final List<String> USUAL_PRODUCER =
      List.of(
          "--producer=batch.size=16384",
          "--producer=linger.ms=5",
          "--producer=compression.type=none");

  /** A topic may get more partitions. */
  private static final String FRESH_METADATA = "--producer=metadata.max.age.ms=2000";

  /** A part of all series, and points, for what comes beside the load. */
  private static final int PART = 10;

  /**
   * A run of the load generator.
   *
   * @param name of its plan; a number follows where there are more of them
   * @param options of {@code ./rondo loadgen}
   */
  public record Run(String name, String topic, List<String> options) {}

  /** All series, to the topic of all, in the way that the generator thinks best. */
  public Run plain() {
    return new Run("load", SourceTopics.POINTS, options(1, List.of()));
  }

  /** Its points wander over the partitions. */
  public Run unkeyed() {
    return new Run("load", SourceTopics.POINTS, options(1, unkeyed(List.of())));
  }

  /** Points of hosts whose clocks are off, live. */
  public List<Run> skewed() {
    return timestampTypes.stream().map(type -> skewed("live", type, List.of())).toList();
  }

  /** The same, of the time before now, as long as the load lasts. */
  public List<Run> backlogs() {
    List<String> history = history(seconds);
    return timestampTypes.stream().map(type -> skewed("backlog", type, history)).toList();
  }

  /** Of a sender that was offline: old points, sent now. Its records keep their order. */
  public Run flush() {
    List<String> more = new ArrayList<>(history(KEPT * seconds));
    more.addAll(List.of("--keys=none", "--format=graphite"));
    return new Run("flush", topic(timestampTypes.get(0)), options(2 * PART, more));
  }

  /** To a topic that was not there before. */
  public Run onNewTopic() {
    List<String> made = unkeyed(List.of("--partitions=" + partitions));
    return new Run("grown", SourceTopics.MATCHED + "grown", options(PART, made));
  }

  /** Machines that are others at each tick, in a label. */
  public Run exploding() {
    long tickMs = Math.max(1, Math.round(series() * 1000.0 / rate()));
    return new Run(
        "exploding",
        SourceTopics.EXPLODING,
        options(
            PART,
            List.of("--shape=churn", "--churn-ms=" + tickMs, "--format=influx", "--metrics=1")));
  }

  private Run skewed(String name, String timestampType, List<String> more) {
    List<String> all = new ArrayList<>(unkeyed(more));
    all.addAll(USUAL_PRODUCER);
    all.addAll(
        List.of(
            "--format=graphite",
            "--metrics=1",
            "--clock-skew=" + clockSkew,
            "--timestamps=points",
            "--partitions=" + partitions));
    return new Run(name, topic(timestampType), options(timestampTypes.size(), all));
  }

  private static String topic(String timestampType) {
    return SourceTopics.MATCHED + timestampType;
  }

  private static List<String> unkeyed(List<String> more) {
    List<String> all = new ArrayList<>(List.of("--keys=absent", FRESH_METADATA));
    all.addAll(more);
    return all;
  }

  private static List<String> history(double seconds) {
    long from = (long) Math.ceil(seconds);
    return List.of("--start=-%ds".formatted(from), "--seconds=" + seconds, "--flat-out");
  }

  /** A part of the series, at the rate that they have among all; an option given later counts. */
  private List<String> options(int part, List<String> more) {
    int fewer = Math.max(1, series / part);
    List<String> all = new ArrayList<>();
    all.add("--seed=" + seed);
    all.add("--series=" + fewer);
    all.add("--rate=" + rate * fewer / series);
    addIfMissing(all, more, "--seconds=" + seconds);
    addIfMissing(all, more, "--shape=" + shape);
    all.add("--batch=" + batch);
    all.addAll(more);
    return all;
  }

  private static void addIfMissing(List<String> all, List<String> more, String option) {
    String name = option.substring(0, option.indexOf('=') + 1);
    if (more.stream().noneMatch(given -> given.startsWith(name))) {
      all.add(option);
    }
  }
}
