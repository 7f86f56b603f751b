/**
 * Records that a serializer of a schema registry has written: their framing, and the schemas that
 * the registry has.
 */
package dev.rondo.formats.schemaregistry;
