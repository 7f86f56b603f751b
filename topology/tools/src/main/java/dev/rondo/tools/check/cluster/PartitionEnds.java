package dev.rondo.tools.check.cluster;

import org.apache.kafka.common.TopicPartition;

/**
 * The records of a partition.
 *
 * @param begin first offset
 * @param end offset after the last
 * @param perSecond records written in the last minutes, per second
 */
record PartitionEnds(TopicPartition partition, long begin, long end, double perSecond) {}
