package dev.rondo.connect.postgres.changes;

/** What one record asks the database to do. */
public sealed interface Change permits RowChange, Series, Renaming, Retirement, Event {}
