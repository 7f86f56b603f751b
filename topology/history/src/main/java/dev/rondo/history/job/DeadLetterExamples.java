package dev.rondo.history.job;

import dev.rondo.tools.deadletters.read.DeadLetter;
import dev.rondo.tools.deadletters.read.DeadLetterReader;
import dev.rondo.topology.config.TopologyConfig;
import java.util.ArrayList;
import java.util.List;

/** The first dead letters that the workers of a job have written. */
final class DeadLetterExamples {
  private static final int EXAMPLES = 5;

  private DeadLetterExamples() {}

  /**
   * Reads them, a line each, before the topics of the job are deleted.
   *
   * @param config of a worker
   */
  static List<String> read(TopologyConfig config) {
    List<String> examples = new ArrayList<>();
    try (DeadLetterReader reader = new DeadLetterReader(config)) {
      reader.read(
          reader.begins(),
          reader.ends(),
          record -> {
            if (examples.size() < EXAMPLES) {
              DeadLetter.of(record).map(DeadLetterExamples::line).ifPresent(examples::add);
            }
          });
    }
    return examples;
  }

  private static String line(DeadLetter deadLetter) {
    return "not stored: %s, record %s: %s"
        .formatted(deadLetter.reason(), deadLetter.source(), deadLetter.detail());
  }
}
