/** This machine's own metrics, published to a topic as Graphite plaintext. */
package dev.rondo.host;
