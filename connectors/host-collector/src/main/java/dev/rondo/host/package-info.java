/** Metrics of this machine and of parts of Rondo, published to a topic as Graphite plaintext. */
package dev.rondo.host;
