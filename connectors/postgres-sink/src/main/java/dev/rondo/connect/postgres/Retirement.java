package dev.rondo.connect.postgres;

/** A series is no more: its place is free, its values show no longer. */
record Retirement(Ident ident) implements Change {}
