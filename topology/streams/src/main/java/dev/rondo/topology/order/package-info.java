/** Merges batches from several source partitions into one sequence without late points. */
package dev.rondo.topology.order;
