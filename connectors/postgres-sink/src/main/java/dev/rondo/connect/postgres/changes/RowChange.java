package dev.rondo.connect.postgres.changes;

import dev.rondo.rows.BundleProperties;
import dev.rondo.rows.Row;
import dev.rondo.rows.WriteMode;

/**
 * A row to write.
 *
 * @param properties of its bundle
 * @param mode FILL of a row that was a dead letter and was sent again: values stored since are
 *     newer, where the slot is still stored
 */
public record RowChange(Row row, BundleProperties properties, WriteMode mode) implements Change {}
