/** Locations of the series of all instances, to detect series that live in two partitions. */
package dev.rondo.topology.locations;
