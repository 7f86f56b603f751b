package dev.rondo.history.fill;

/**
 * A row of {@code location_period}.
 *
 * @param series {@code ds.id}
 * @param number of the period
 * @param fromMs its slots end later, epoch ms
 * @param toMs whole slots of it end at or before, epoch ms
 */
record LocationPeriod(
    long series, int number, String policy, int seg, int pos, long fromMs, long toMs) {}
