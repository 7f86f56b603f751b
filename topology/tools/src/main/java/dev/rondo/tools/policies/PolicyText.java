package dev.rondo.tools.policies;

import dev.rondo.tools.size.SlotCost;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ConsolidationFunction;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.Spans;
import java.util.Locale;

/** A policy for readers. */
final class PolicyText {
  private PolicyText() {}

  private static String filling(Policy policy) {
    return switch (policy.finest()) {
      case SUM -> "finest sum";
      case LAST -> "Whisper mode";
      default -> "heartbeat " + Spans.format(policy.heartbeatMs());
    };
  }

  static String of(Policy policy) {
    if (policy.drops()) {
      return "%s: match %s%s, drops its series%n"
          .formatted(
              policy.name(),
              policy.match(),
              policy.tags().isEmpty() ? "" : ", tags " + policy.tags());
    }
    var text = new StringBuilder();
    text.append(
        "%s: match %s%s, step %s, %s%s%s%n"
            .formatted(
                policy.name(),
                policy.match(),
                policy.tags().isEmpty() ? "" : ", tags " + policy.tags(),
                Spans.format(policy.stepMs()),
                filling(policy),
                policy.reorderMs() == 0 ? "" : ", reorder " + Spans.format(policy.reorderMs()),
                policy.aggregate() == ConsolidationFunction.WMEAN
                    ? ""
                    : ", aggregate " + policy.aggregate().key()));
    for (Archive archive : policy.archives()) {
      long stepMs = archive.shape().stepMs();
      text.append(
          String.format(
              Locale.ROOT,
              "  %-5s %4s slots for %-4s xff %-4s %,10d slots%n",
              archive.function().key(),
              Spans.format(stepMs),
              Spans.format(stepMs * archive.shape().size()),
              archive.xff(),
              archive.shape().size()));
    }
    text.append(
        String.format(
            Locale.ROOT,
            "  at most %,d series; each takes %,.0f kB when the archives are full%n",
            policy.maxSeries(),
            SlotCost.of(1, policy.archives()).bytes() / 1_000));
    return text.toString();
  }
}
