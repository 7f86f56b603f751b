package dev.rondo.history.job;

import dev.rondo.tools.deadletters.read.DeadLetter;
import dev.rondo.tools.deadletters.read.DeadLetterReader;
import dev.rondo.topology.config.TopologyConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the workers of a job could not store, by the dead letters that they have written. */
final class NotStored {
  private static final int EXAMPLES = 5;

  private final SortedMap<String, Long> pointsByReason = new TreeMap<>();
  private final List<String> examples = new ArrayList<>();

  private NotStored() {}

  /**
   * Reads the dead letters of a job, before its topics are deleted.
   *
   * @param config of a worker
   */
  static NotStored read(TopologyConfig config) {
    NotStored notStored = new NotStored();
    try (DeadLetterReader reader = new DeadLetterReader(config)) {
      reader.read(
          reader.begins(),
          reader.ends(),
          record -> DeadLetter.of(record).ifPresent(notStored::add));
    }
    return notStored;
  }

  private void add(DeadLetter deadLetter) {
    pointsByReason.merge(deadLetter.reason(), deadLetter.count(), Long::sum);
    if (examples.size() < EXAMPLES) {
      examples.add(
          "not stored: %s, record %s: %s"
              .formatted(deadLetter.reason(), deadLetter.source(), deadLetter.detail()));
    }
  }

  /** The first of them, a line each. */
  List<String> examples() {
    return examples;
  }

  /** How many points, by reason; empty = none. */
  String note() {
    return JobText.points("not stored", pointsByReason);
  }
}
