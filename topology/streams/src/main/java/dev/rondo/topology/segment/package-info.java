/** Segments: the state of up to a thousand series, from reorder windows to slots to rows. */
package dev.rondo.topology.segment;
