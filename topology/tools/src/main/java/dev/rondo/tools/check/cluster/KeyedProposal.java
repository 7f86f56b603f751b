package dev.rondo.tools.check.cluster;

import dev.rondo.tools.check.record.CheckedRecord;
import dev.rondo.tools.check.record.KeyText;
import dev.rondo.tools.check.record.RecordKeys;
import dev.rondo.tools.check.record.SampleSummary;
import dev.rondo.tools.check.record.Spread;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether a source may be declared {@code keyed}. A source that is keyed and should not be stores
 * wrong values, and one that could be keyed and is not only costs more: without evidence it is not.
 *
 * @param why as text
 */
record KeyedProposal(boolean isKeyed, String why) {
  /**
   * Decides by a sample.
   *
   * @param partitions of the topic
   * @param mostPartitions setting {@code partitions}: a keyed topic has at most as many
   */
  static KeyedProposal of(
      List<CheckedRecord> records, SampleSummary summary, int partitions, int mostPartitions) {
    Spread spread = summary.spread();
    RecordKeys keys = summary.keys();
    if (partitions > mostPartitions) {
      return no("%d partitions, more than partitions=%d".formatted(partitions, mostPartitions));
    }
    if (partitions == 1) {
      return new KeyedProposal(true, "one partition, so that no series can change it");
    }
    if (keys.without() == summary.records()) {
      return no("no record has a key");
    }
    if (keys.without() > 0) {
      return no("%d of %d records have no key".formatted(keys.without(), summary.records()));
    }
    if (!spread.inSeveral().isEmpty()) {
      return no(
          "series '%s' and %d others are in several partitions"
              .formatted(spread.inSeveral().get(0), spread.inSeveral().size() - 1));
    }
    if (spread.inSeveralRecords() * 2 < spread.series()) {
      return no(
          "unknown: only %d of %d series are in two records (--records)"
              .formatted(spread.inSeveralRecords(), spread.series()));
    }
    if (!haveOneKeyEach(records)) {
      return no("a series has several keys");
    }
    return new KeyedProposal(
        true,
        keys.positions().isEmpty()
            ? "each series has one key and stays in one partition"
            : "the key equals " + String.join(" and ", keys.positions()));
  }

  private static KeyedProposal no(String why) {
    return new KeyedProposal(false, why);
  }

  /** The declaration for a topic that shares a series with another topic. */
  KeyedProposal sharing(String series, String otherTopic) {
    return isKeyed ? no("series '%s' is in topic %s, too".formatted(series, otherTopic)) : this;
  }

  private static boolean haveOneKeyEach(List<CheckedRecord> records) {
    Map<String, String> keys = new HashMap<>();
    Set<String> several = new HashSet<>();
    for (CheckedRecord record : records) {
      String key = KeyText.of(record.key());
      for (CheckedRecord.Point point : record.points()) {
        String first = keys.putIfAbsent(point.ident(), key);
        if (first != null && !first.equals(key)) {
          several.add(point.ident());
        }
      }
    }
    return several.isEmpty();
  }
}
