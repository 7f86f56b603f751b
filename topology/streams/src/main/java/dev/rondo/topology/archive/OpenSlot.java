package dev.rondo.topology.archive;

/**
 * The open slot of a series in an archive, with what is known of it so far.
 *
 * @param endMs its end, epoch ms
 * @param knownMs known time, ms
 * @param value of the known time; has no meaning where nothing is known
 */
public record OpenSlot(Archive archive, long endMs, long knownMs, double value) {}
