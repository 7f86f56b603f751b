/** Batches from several source partitions → one sequence in which no point comes too late. */
package dev.rondo.topology.order;
