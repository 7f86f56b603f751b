/**
 * Consolidation as pure arithmetic, from the points of a series to closed slots. No Kafka, no
 * clock; only the codecs use varints of Kafka. Times are epoch milliseconds.
 */
package dev.rondo.topology.archive;
