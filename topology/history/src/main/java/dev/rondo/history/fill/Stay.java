package dev.rondo.history.fill;

/**
 * A row of {@code series_location}.
 *
 * @param series {@code ds.id}
 * @param number of the stay
 * @param fromMs its slots end later, epoch ms
 * @param toMs whole slots of it end at or before, epoch ms
 */
record Stay(long series, int number, String policy, int seg, int pos, long fromMs, long toMs) {}
