/** Decodes Graphite plaintext. */
package dev.rondo.formats.graphite;
