package dev.rondo.tools.check.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** How many records of each partition belong to a sample. */
final class SampleShares {
  private SampleShares() {}

  /** Assigns {@code most} records evenly; a partition without any is left out. */
  static Map<TopicPartition, Integer> of(List<PartitionEnds> partitions, int most) {
    Map<TopicPartition, Integer> shares = new HashMap<>();
    int left = most;
    boolean isAssigned = true;
    while (left > 0 && isAssigned) {
      isAssigned = false;
      for (PartitionEnds partition : partitions) {
        int share = shares.getOrDefault(partition.partition(), 0);
        if (left > 0 && partition.begin() + share < partition.end()) {
          shares.put(partition.partition(), share + 1);
          left--;
          isAssigned = true;
        }
      }
    }
    return shares;
  }
}
