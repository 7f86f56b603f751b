package dev.rondo.history.replay;

import dev.rondo.tools.check.record.SampledPoints;
import dev.rondo.tools.command.RoughTime;
import dev.rondo.tools.size.Deployment;
import dev.rondo.tools.size.SourceCost;
import dev.rondo.topology.policy.Policy;
import java.util.List;
import java.util.Locale;

/** How long a replay takes, by the costs that {@code ./rondo size} computes with. */
final class ReplayEstimate {
  /** Points a second for which the cost of a point is computed: idle parts do not count. */
  private static final long RATE = 1_000_000;

  private ReplayEstimate() {}

  /**
   * A topic of the plan.
   *
   * @param records that are read
   */
  record Reading(long records, boolean isKeyed, SampledPoints sample) {
    double points() {
      return records * sample.perRecord();
    }

    /** CPU of all parts, seconds, for points as far apart as the finest slots. */
    private double cpuSeconds() {
      return sample.byPolicy().stream()
          .mapToDouble(share -> points() * share.share() * pointCost(share.policy()))
          .sum();
    }

    private double pointCost(Policy policy) {
      double intervalSeconds = policy.archives().get(0).shape().stepMs() / 1000.0;
      int batch = (int) Math.max(1, Math.round(sample.perRecord()));
      var deployment =
          Deployment.of(
              Math.round(RATE * intervalSeconds),
              intervalSeconds,
              policy.archives(),
              isKeyed,
              batch);
      return SourceCost.of(deployment).cores() / deployment.points();
    }
  }

  /** Sentences about the duration, and about what users see meanwhile. */
  static List<String> lines(List<Reading> readings, int cores) {
    double points = readings.stream().mapToDouble(Reading::points).sum();
    double seconds = readings.stream().mapToDouble(Reading::cpuSeconds).sum() / cores;
    return List.of(
        String.format(
            Locale.ROOT,
            "They hold about %,.0f points, by a sample of the newest: about %s, if all parts have %d"
                + " cores that nothing else uses.",
            points,
            RoughTime.text(seconds),
            cores),
        "Meanwhile graphs keep what they show, and end where the topology was stopped; recomputed"
            + " slots replace them from the oldest on, and points that arrive now come last.");
  }
}
