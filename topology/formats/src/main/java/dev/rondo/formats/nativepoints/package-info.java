/** Rondo's own format: batches of points in Avro. */
package dev.rondo.formats.nativepoints;
