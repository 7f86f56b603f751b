package dev.rondo.connect.postgres.changes;

/** A series is retired: its location is free and its values are no longer visible. */
public record Retirement(Ident ident) implements Change {}
