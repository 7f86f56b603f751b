package dev.rondo.topology.drops;

/**
 * The last drop of a series, or with an error, for one reason.
 *
 * @param points number of drops since it entered the list; an estimate in a flood
 * @param seenMs time of the last drop by the clock, epoch ms
 */
public record RecentDrop(Drop last, long points, long seenMs) {}
