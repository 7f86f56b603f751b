package dev.rondo.proof.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Computes the expected slots of a series from the whole list of its points. It shares no code with
 * the topology, which processes one point at a time.
 *
 * <pre>
 *   points      0:99   4:1        10:3     25:5                a value is valid back to the previous point
 *   finest       |-1-|-----3-----|----5----|----5----|-5-      weighted sum and known time per slot
 *               0    4          10        20        30 s
 *   coarse       |--------- of the finest known in it -|
 * </pre>
 */
final class Model {
  private Model() {}

  /** The known part of one finest slot. */
  private static final class Finest {
    double valueTimesMs;
    long knownMs;

    double mean() {
      return valueTimesMs / knownMs;
    }
  }

  /**
   * Values of known slots, including open ones, by slot end, epoch ms. Of a series that was renamed
   * to this one: those that begin before the first point, unless this one has a value.
   */
  static Map<ArchiveRule, Map<Long, Double>> slots(Series series, PolicyRule policy) {
    Map<ArchiveRule, Map<Long, Double>> slots = slots(series.points(), policy);
    if (series.former() != null) {
      long firstMs = series.points().isEmpty() ? Long.MAX_VALUE : series.points().get(0).tMs();
      slots(series.former(), policy)
          .forEach(
              (archive, former) ->
                  former.forEach(
                      (endMs, value) -> {
                        if (endMs - archive.stepMs() < firstMs) {
                          slots.get(archive).putIfAbsent(endMs, value);
                        }
                      }));
    }
    return slots;
  }

  /**
   * Values of known slots, including open ones, by slot end, epoch ms.
   *
   * @param points of one series, times ascending
   */
  static Map<ArchiveRule, Map<Long, Double>> slots(List<TimedValue> points, PolicyRule policy) {
    SortedMap<Long, Finest> finest = finest(points, policy);
    Map<ArchiveRule, Map<Long, Double>> slots = new HashMap<>();
    for (ArchiveRule archive : policy.archives()) {
      slots.put(archive, consolidate(finest, archive));
    }
    return slots;
  }

  private static SortedMap<Long, Finest> finest(List<TimedValue> points, PolicyRule policy) {
    SortedMap<Long, Finest> finest = new TreeMap<>();
    for (int n = 1; n < points.size(); n++) {
      long fromMs = points.get(n - 1).tMs();
      long toMs = points.get(n).tMs();
      if (toMs <= fromMs) {
        throw new IllegalArgumentException("times do not ascend: %d, %d".formatted(fromMs, toMs));
      }
      if (toMs - fromMs > policy.heartbeatMs()) {
        continue;
      }
      long atMs = fromMs;
      while (atMs < toMs) {
        long endMs = (atMs / policy.stepMs() + 1) * policy.stepMs();
        long knownMs = Math.min(endMs, toMs) - atMs;
        Finest slot = finest.computeIfAbsent(endMs, end -> new Finest());
        slot.valueTimesMs += points.get(n).value() * knownMs;
        slot.knownMs += knownMs;
        atMs += knownMs;
      }
    }
    return finest;
  }

  private static Map<Long, Double> consolidate(
      SortedMap<Long, Finest> finest, ArchiveRule archive) {
    Map<Long, List<Finest>> parts = new TreeMap<>();
    finest.forEach(
        (endMs, slot) ->
            parts.computeIfAbsent(archive.endOf(endMs), end -> new ArrayList<>()).add(slot));
    Map<Long, Double> slots = new TreeMap<>();
    parts.forEach(
        (endMs, known) -> {
          long knownMs = known.stream().mapToLong(slot -> slot.knownMs).sum();
          if (knownMs >= archive.xff() * archive.stepMs() - 1e-6) {
            slots.put(endMs, value(archive.function(), known, knownMs));
          }
        });
    return slots;
  }

  private static double value(String function, List<Finest> known, long knownMs) {
    return switch (function) {
      case "wmean" -> known.stream().mapToDouble(slot -> slot.valueTimesMs).sum() / knownMs;
      case "min" -> known.stream().mapToDouble(Finest::mean).min().orElseThrow();
      case "max" -> known.stream().mapToDouble(Finest::mean).max().orElseThrow();
      case "sum" -> known.stream().mapToDouble(Finest::mean).sum();
      case "last" -> known.get(known.size() - 1).mean();
      default -> throw new IllegalArgumentException("function " + function);
    };
  }
}
