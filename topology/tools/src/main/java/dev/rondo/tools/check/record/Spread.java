package dev.rondo.tools.check.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Partitions and records that each series occurs in. */
public final class Spread {
  private final int partitions;
  private final Map<String, Set<Integer>> partitionsOf = new TreeMap<>();
  private final Map<String, Integer> recordsOf = new HashMap<>();

  /**
   * @param partitions how many the topic has
   */
  Spread(int partitions, List<CheckedRecord> records) {
    this.partitions = partitions;
    for (CheckedRecord record : records) {
      Set<String> idents = new TreeSet<>();
      record.points().forEach(point -> idents.add(point.ident()));
      for (String ident : idents) {
        partitionsOf.computeIfAbsent(ident, i -> new TreeSet<>()).add(record.record().partition());
        recordsOf.merge(ident, 1, Integer::sum);
      }
    }
  }

  public int series() {
    return partitionsOf.size();
  }

  /** Series in more than one partition, sorted. */
  public List<String> inSeveral() {
    List<String> several = new ArrayList<>();
    partitionsOf.forEach(
        (ident, seen) -> {
          if (seen.size() > 1) {
            several.add(ident);
          }
        });
    return several;
  }

  /** Number of series in more than one record. */
  public long inSeveralRecords() {
    return recordsOf.values().stream().filter(records -> records > 1).count();
  }

  /** Says what this means for {@code keyed}. */
  public String text(boolean hasRecordsWithoutKey) {
    List<String> several = inSeveral();
    if (!several.isEmpty()) {
      String one = several.get(0);
      return ("%d of %d series are in more than one partition, such as '%s' in %s: not keyed: true;"
              + " merge.sources=true (the default) is needed")
          .formatted(several.size(), series(), one, partitionsOf.get(one));
    }
    if (partitions == 1) {
      return "the topic has one, so no series can change it: keyed: true is right";
    }
    if (hasRecordsWithoutKey) {
      return "some records have no key, so any partition may get them: not keyed: true";
    }
    if (inSeveralRecords() == 0) {
      return "no series is in two records, so it is unknown whether they change partitions; read more"
          + " (--records)";
    }
    return ("each of the %d series in more than one record stays in one partition: keyed: true may be"
            + " right")
        .formatted(inSeveralRecords());
  }
}
