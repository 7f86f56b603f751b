package dev.rondo.connect.postgres.changes;

/** What one record asks the database to do. */
public sealed interface Change permits Row, Refill, Series, Renaming, Retirement, Event {}
