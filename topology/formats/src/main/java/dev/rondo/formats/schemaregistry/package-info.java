/** Records written by the serializers of a schema registry: framing, and lookup of schemas. */
package dev.rondo.formats.schemaregistry;
