package dev.rondo.proof.model;

/**
 * A value at a time: of a point, or of a slot at its end.
 *
 * @param tMs epoch ms
 */
record TimedValue(long tMs, double value) {}
