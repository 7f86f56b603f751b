package dev.rondo.topology.drops;

/**
 * The last of the drops of one series, or of one fault, for one reason.
 *
 * @param points how many there were since it came on the list; in a flood, about
 * @param seenMs when the last was seen, by the clock, epoch ms
 */
public record RecentDrop(Drop last, long points, long seenMs) {}
