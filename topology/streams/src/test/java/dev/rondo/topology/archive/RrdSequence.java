package dev.rondo.topology.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Random points of one series, as Rondo and as RRDtool receive them, and the known time of each
 * finest slot. Times are whole eighths of a second, which RRDtool reads without rounding.
 */
final class RrdSequence {
  private static final long[] STEPS_MS = {1_000, 5_000, 10_000, 60_000};
  private static final long EIGHTH_MS = 125;
  private static final int POINTS = 40;

  record Sent(long tMs, double value) {}

  final long stepMs;
  final long heartbeatMs;
  final List<Sent> points = new ArrayList<>();

  /** Points for RRDtool: {@link #points} from the second on, some intervals cut in two. */
  final List<Sent> cutPoints = new ArrayList<>();

  /** Known time by end of the finest slot, ms; no entry if it is 0. */
  final TreeMap<Long, Long> knownMs = new TreeMap<>();

  /** Ends of the finest slots in which a silence longer than the heartbeat begins. */
  final List<Long> silenceBegins = new ArrayList<>();

  private final SplittableRandom random;

  RrdSequence(long seed) {
    random = new SplittableRandom(seed);
    stepMs = STEPS_MS[random.nextInt(STEPS_MS.length)];
    heartbeatMs = stepMs * (1 + random.nextInt(8)) + 1_000L * random.nextInt(2);
    double scale = Math.pow(10, random.nextInt(13) - 4);
    long tMs = 1_700_000_000_000L + 1_000L * random.nextInt(100_000);
    points.add(new Sent(tMs, 0));
    for (int n = 0; n < POINTS; n++) {
      long lastMs = tMs;
      tMs = after(lastMs);
      Sent point = new Sent(tMs, scale * (1 + 999 * random.nextDouble()));
      points.add(point);
      pass(lastMs, point);
    }
  }

  long firstMs() {
    return points.get(0).tMs();
  }

  long lastMs() {
    return points.get(points.size() - 1).tMs();
  }

  private long after(long lastMs) {
    long tMs =
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> lastMs + eighths(1, stepMs);
          case 3 -> roundUp(lastMs + eighths(1, stepMs), 1_000);
          case 4, 5 -> endOf(lastMs + eighths(1, stepMs)); // on a step
          case 6 -> lastMs + eighths(stepMs, Math.max(stepMs + EIGHTH_MS, heartbeatMs));
          case 7 -> lastMs + heartbeatMs + eighths(-1_000, 1_000); // about the heartbeat
          case 8 -> lastMs + heartbeatMs;
          default -> lastMs + eighths(heartbeatMs, 3 * heartbeatMs);
        };
    tMs = Math.max(tMs, lastMs + EIGHTH_MS);
    // RRDtool counts the unknown time of a PDP in whole seconds: a silence starts and ends on one
    return lastMs % 1_000 == 0 && tMs - lastMs > heartbeatMs
        ? roundUp(tMs, 1_000)
        : Math.min(tMs, lastMs + heartbeatMs);
  }

  private long eighths(long fromMs, long toMs) {
    return Math.floorDiv(random.nextLong(fromMs, toMs), EIGHTH_MS) * EIGHTH_MS;
  }

  private void pass(long lastMs, Sent point) {
    long pdpEndMs = endOf(lastMs);
    if (point.tMs() - lastMs > heartbeatMs) {
      if (pdpEndMs > lastMs) {
        silenceBegins.add(pdpEndMs);
      }
    } else {
      for (long fromMs = lastMs; fromMs < point.tMs(); ) {
        long untilMs = Math.min(endOf(fromMs + 1), point.tMs());
        knownMs.merge(endOf(untilMs), untilMs - fromMs, Long::sum);
        fromMs = untilMs;
      }
      if (pdpEndMs > lastMs && point.tMs() >= pdpEndMs + stepMs) {
        cutPoints.add(new Sent(pdpEndMs, point.value()));
      }
    }
    cutPoints.add(point);
  }

  private long endOf(long tMs) {
    return roundUp(tMs, stepMs);
  }

  private static long roundUp(long tMs, long stepMs) {
    return -Math.floorDiv(-tMs, stepMs) * stepMs;
  }
}
