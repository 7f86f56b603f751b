package dev.rondo.connect.postgres.changes;

/** What one record asks of the database. */
public sealed interface Change permits Row, Refill, Series, Retirement {}
