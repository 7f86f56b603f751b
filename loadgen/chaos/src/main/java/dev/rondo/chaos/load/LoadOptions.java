package dev.rondo.chaos.load;

import java.util.ArrayList;
import java.util.List;

/**
 * Options for {@code ./rondo loadgen}.
 *
 * @param rate points per second of the continuous load
 * @param seconds duration of the load
 * @param keys of the plain load, as {@code --keys}; null: the default of the generator
 * @param clockSkew maximum clock error of hosts, as {@code --clock-skew}
 * @param timestampTypes of the topics for hosts with wrong clocks, one topic each
 * @param partitions of created topics
 */
public record LoadOptions(
    long seed,
    double rate,
    int series,
    double seconds,
    String shape,
    int batch,
    String keys,
    String clockSkew,
    List<String> timestampTypes,
    int partitions) {
  /** Points buffered by an offline sender, as a multiple of the load's duration. */
  private static final double KEPT = 12;

  /** Less than the finest archive of {@code ./rondo up} holds. */
  private static final double OLD = 5 * 3600;

  /** Defaults of Kafka's producer: small batches, no compression. */
  private static final List<String> USUAL_PRODUCER =
      List.of(
          "--producer=batch.size=16384",
          "--producer=linger.ms=5",
          "--producer=compression.type=none");

  /** Notices added partitions soon. */
  private static final String FRESH_METADATA = "--producer=metadata.max.age.ms=2000";

  /** How often the series of a load are replaced by others: the usual limit has room for them. */
  private static final int CHANGES = 10;

  /** Additional loads have this fraction, 1 / PART, of the series and points. */
  private static final int PART = 10;

  /** Brief loads last for this fraction, 1 / BRIEF, of the load, but not for less. */
  private static final int BRIEF = 60;

  private static final double LEAST_SECONDS = 2;

  /**
   * A run of the load generator.
   *
   * @param name of its plan; the caller appends a number
   * @param options for {@code ./rondo loadgen}
   */
  public record Run(String name, String topic, List<String> options) {}

  /** All series to the topic {@code points}. */
  public Run plain() {
    List<String> more = keys == null ? List.of() : List.of("--keys=" + keys);
    return new Run("load", SourceTopics.POINTS, options(1, more));
  }

  /** Without keys: the points of a series move between partitions. */
  public Run unkeyed() {
    return new Run("load", SourceTopics.POINTS, options(1, unkeyed(List.of())));
  }

  /** Live points of hosts with wrong clocks. */
  public List<Run> skewed() {
    return timestampTypes.stream().map(type -> skewed("live", type, List.of())).toList();
  }

  /** The same for the past, as long as the load lasts. */
  public List<Run> backlogs() {
    List<String> history = history(seconds);
    return timestampTypes.stream().map(type -> skewed("backlog", type, history)).toList();
  }

  /** Old points of a sender that was offline, sent now in their order. */
  public Run flush() {
    List<String> more = new ArrayList<>(history(KEPT * seconds));
    more.addAll(List.of("--keys=none", "--format=graphite"));
    return new Run("flush", topic(timestampTypes.get(0)), options(2 * PART, more));
  }

  /** Hours of points of few series, in their order, for a topic that is no source. */
  public Run old() {
    List<String> more = new ArrayList<>(history(OLD));
    more.addAll(List.of("--keys=none", "--format=graphite", "--partitions=1"));
    return new Run("old", SourceTopics.OLD, options(10 * PART, more));
  }

  /** Points for a new topic. */
  public Run onNewTopic() {
    List<String> made = unkeyed(List.of("--partitions=" + partitions));
    return new Run("grown", SourceTopics.MATCHED + "grown", options(PART, made));
  }

  /** Some seconds of points for all partitions of a topic that is replaced or cut. */
  public Run brief(String topic) {
    double brief = Math.max(LEAST_SECONDS, seconds / BRIEF);
    List<String> made = List.of("--partitions=" + partitions, "--seconds=" + brief);
    return new Run("brief", topic, options(PART, made));
  }

  /** Tagged series, all of which end a few times and others begin. */
  public Run changing() {
    long changeMs = Math.max(1, Math.round(seconds * 1000 / CHANGES));
    return new Run(
        "changing",
        SourceTopics.POINTS,
        options(PART, List.of("--shape=churn", "--churn-ms=" + changeMs, "--format=influx")));
  }

  /** A new machine label at every tick. */
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

  /** A fraction of the series at the same rate per series; options in {@code more} win. */
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
