package dev.rondo.connect.postgres.changes;

/**
 * A row that was a dead letter and was sent again. Values stored since are newer: where the slot is
 * still stored, the row only fills in unknown values and overwrites nothing.
 */
public record Refill(Row row) implements Change {}
