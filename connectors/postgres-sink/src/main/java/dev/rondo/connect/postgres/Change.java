package dev.rondo.connect.postgres;

/** What one record asks of the database. */
sealed interface Change permits Row, Refill, Series, Retirement {}
