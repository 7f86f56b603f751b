/**
 * What a record asks the database to do: write a row, enter a series or retire one. The sink knows
 * rows and locations, not how values were consolidated.
 */
package dev.rondo.connect.postgres.changes;
