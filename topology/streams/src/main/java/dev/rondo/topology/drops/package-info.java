/** Counts and reports points that are not stored. */
package dev.rondo.topology.drops;
