package dev.rondo.connect.postgres.changes;

/** A series is no more: its place is free, its values show no longer. */
public record Retirement(Ident ident) implements Change {}
