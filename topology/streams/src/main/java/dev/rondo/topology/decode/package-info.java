/** Decodes the bytes of a source topic to points, or to a dead letter with its reason. */
package dev.rondo.topology.decode;
