package dev.rondo.connect.postgres.changes;

/**
 * A series is renamed: its location is free, and its history is that of another series.
 *
 * @param series with its last location
 * @param to ident of the other series
 * @param atMs epoch ms
 */
public record Renaming(Series series, Ident to, long atMs) implements Change {}
