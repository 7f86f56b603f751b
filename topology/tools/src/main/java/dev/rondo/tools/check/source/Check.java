package dev.rondo.tools.check.source;

import dev.rondo.tools.check.record.CheckedRecord;
import dev.rondo.tools.check.record.SampleStart;
import dev.rondo.tools.check.record.SampleSummary;
import dev.rondo.topology.source.Source;
import java.util.List;

/**
 * Result of a check.
 *
 * @param source how the topic was read
 * @param origin where the source is from, as text
 * @param from the first record of the sample
 * @param partitions number of partitions of the topic
 * @param nowMs time of the check, epoch ms
 * @param proposal lines of a sources file with the source, if it is from a schema; otherwise empty
 */
record Check(
    Source source,
    String origin,
    SampleStart from,
    int partitions,
    long nowMs,
    List<CheckedRecord> records,
    SampleSummary summary,
    List<String> proposal,
    List<String> hints) {}
