package dev.rondo.tools.check.record;

import dev.rondo.formats.DropReason;
import dev.rondo.tools.check.record.CheckedRecord.Drop;
import java.util.EnumMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;

/**
 * Statistics of the sampled records.
 *
 * @param records their number
 * @param stored points and events that would be stored
 * @param perRecord points, events and drops per record
 * @param drops one example of each reason
 * @param dropped count of each reason
 * @param spread of the series over the partitions
 * @param keys of the records
 * @param age of the points
 * @param newestMs time at which the newest record was written, epoch ms
 */
public record SampleSummary(
    int records,
    int stored,
    IntSummaryStatistics perRecord,
    Map<DropReason, Drop> drops,
    Map<DropReason, Integer> dropped,
    Spread spread,
    RecordKeys keys,
    PointAge age,
    long newestMs) {

  /**
   * Summarizes the records of a sample.
   *
   * @param partitions how many the topic has
   */
  public static SampleSummary of(List<CheckedRecord> records, int partitions) {
    Map<DropReason, Drop> drops = new EnumMap<>(DropReason.class);
    Map<DropReason, Integer> dropped = new EnumMap<>(DropReason.class);
    int stored = 0;
    for (CheckedRecord record : records) {
      stored += record.stored();
      for (Drop drop : record.drops()) {
        drops.putIfAbsent(drop.reason(), drop);
        dropped.merge(drop.reason(), 1, Integer::sum);
      }
    }
    return new SampleSummary(
        records.size(),
        stored,
        records.stream()
            .mapToInt(record -> record.stored() + record.drops().size())
            .summaryStatistics(),
        drops,
        dropped,
        new Spread(partitions, records),
        new RecordKeys(records),
        new PointAge(records),
        records.stream().mapToLong(CheckedRecord::writtenMs).max().orElse(0));
  }
}
