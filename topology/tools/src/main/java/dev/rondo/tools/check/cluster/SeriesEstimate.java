package dev.rondo.tools.check.cluster;

import dev.rondo.tools.check.record.CheckedRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many series a topic has, from a sample of its points.
 *
 * @param series estimated number
 * @param isLeast whether there may be many more: no series occurs at two times in the sample
 */
record SeriesEstimate(long series, boolean isLeast) {
  /** A sample with so many points of each series has seen nearly all series. */
  private static final int SEEN_ALL = 3;

  /**
   * Estimates the number. A sample that shows few points of each series has not seen all of them;
   * their number then is the points of an interval between two points of a series.
   *
   * @param pointsPerSecond of the topic
   */
  static SeriesEstimate of(List<CheckedRecord> records, double pointsPerSecond) {
    Map<String, List<Long>> times = new HashMap<>();
    int points = 0;
    for (CheckedRecord record : records) {
      for (CheckedRecord.Point point : record.points()) {
        times.computeIfAbsent(point.ident(), ident -> new ArrayList<>()).add(point.tMs());
        points++;
      }
    }
    long seen = times.size();
    if (points >= SEEN_ALL * seen) {
      return new SeriesEstimate(seen, false);
    }
    List<Long> intervals = intervals(times);
    if (intervals.isEmpty()) {
      return new SeriesEstimate(seen, true);
    }
    double intervalS = intervals.get(intervals.size() / 2) / 1e3;
    return new SeriesEstimate(Math.max(seen, Math.round(pointsPerSecond * intervalS)), false);
  }

  /** The shortest interval of each series with two times, sorted, ms. */
  private static List<Long> intervals(Map<String, List<Long>> times) {
    List<Long> intervals = new ArrayList<>();
    for (List<Long> ofOne : times.values()) {
      List<Long> sorted = ofOne.stream().sorted().distinct().toList();
      long shortest = Long.MAX_VALUE;
      for (int n = 1; n < sorted.size(); n++) {
        shortest = Math.min(shortest, sorted.get(n) - sorted.get(n - 1));
      }
      if (sorted.size() > 1) {
        intervals.add(shortest);
      }
    }
    intervals.sort(null);
    return intervals;
  }
}
