/** Runs the task of a partition: merges its points, finds their series, fills its segments. */
package dev.rondo.topology.consolidate;
