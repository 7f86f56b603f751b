/** Decodes Rondo's native format: batches of points in Avro. */
package dev.rondo.formats.nativepoints;
