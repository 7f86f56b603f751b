package dev.rondo.tools.check.record;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** How many records of each partition belong to a sample. */
public final class SampleShares {
  private SampleShares() {}

  /**
   * Assigns records evenly.
   *
   * @param offsets number of offsets of each partition; one without any is left out
   * @param most records of the sample
   * @return sorted by partition
   */
  public static Map<TopicPartition, Integer> of(Map<TopicPartition, Long> offsets, int most) {
    Map<TopicPartition, Integer> shares = TopicSample.byPartition();
    int left = most;
    boolean isAssigned = true;
    while (left > 0 && isAssigned) {
      isAssigned = false;
      for (Map.Entry<TopicPartition, Long> partition : offsets.entrySet()) {
        int share = shares.getOrDefault(partition.getKey(), 0);
        if (left > 0 && share < partition.getValue()) {
          shares.put(partition.getKey(), share + 1);
          left--;
          isAssigned = true;
        }
      }
    }
    return shares;
  }
}
