package dev.rondo.client;

/**
 * A record's value in the native format.
 *
 * @param points number of points in it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Batch(byte[] value, int points) {}
