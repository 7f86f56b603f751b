/**
 * Consolidation as pure arithmetic, from the points of a series to closed slots. Imports {@code
 * java.*} only. Times are epoch milliseconds.
 */
package dev.rondo.topology.archive;
