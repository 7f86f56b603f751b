/** Avro records with a schema from a registry or a file. */
package dev.rondo.formats.avro;
