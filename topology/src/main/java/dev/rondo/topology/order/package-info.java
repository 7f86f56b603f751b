/** Batches from several source partitions → one sequence, in the order of their points. */
package dev.rondo.topology.order;
