package dev.rondo.tools.check;

import dev.rondo.topology.source.Source;
import java.util.List;

/**
 * What was found.
 *
 * @param source how the topic was read
 * @param origin where that is from, for a person to read
 * @param from which records were read
 * @param partitions how many the topic has
 * @param nowMs when it was read, epoch ms
 */
record Check(
    Source source,
    String origin,
    ReadFrom from,
    int partitions,
    long nowMs,
    List<CheckedRecord> records,
    Summary summary,
    List<String> hints) {}
