/**
 * Consolidation as arithmetic: points of one series in, closed slots out. Imports {@code java.*}
 * only; knows no Kafka, no rows, no database. Times are epoch milliseconds.
 */
package dev.rondo.topology.archive;
