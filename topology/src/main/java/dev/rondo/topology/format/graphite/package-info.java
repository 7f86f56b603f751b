/** Graphite plaintext. */
package dev.rondo.topology.format.graphite;
