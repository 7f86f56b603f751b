/** Segments: the state of up to {@code width} series, from reorder windows to slots to rows. */
package dev.rondo.topology.segment;
