/** Points of the series of a partition → closed slots, kept by segment. */
package dev.rondo.topology.consolidate;
