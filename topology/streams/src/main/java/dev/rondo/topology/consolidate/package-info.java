/** Turns the points of a partition into closed slots, by segment. */
package dev.rondo.topology.consolidate;
