package dev.rondo.topology.archive;

/**
 * Open slot of a series in an archive, as known so far.
 *
 * @param endMs end of the slot, epoch ms
 * @param knownMs known time, ms
 * @param value value of the known time; undefined if it is 0
 */
public record OpenSlot(Archive archive, long endMs, long knownMs, double value) {}
