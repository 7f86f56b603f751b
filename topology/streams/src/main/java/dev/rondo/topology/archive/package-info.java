/**
 * Consolidation as pure arithmetic, from the points of a series to closed slots. Imports {@code
 * java.*} only; it depends on neither Kafka, rows nor a database. Times are epoch milliseconds.
 */
package dev.rondo.topology.archive;
