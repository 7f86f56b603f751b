package dev.rondo.connect.postgres.changes;

/**
 * A row that was a dead letter and has been sent again. What was stored since is newer: where its
 * slot is still held it fills in what is unknown, and overwrites nothing.
 */
public record Refill(Row row) implements Change {}
