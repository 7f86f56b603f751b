/**
 * Maps records of Avro, Protobuf or JSON that follow no metrics protocol to points: a {@link
 * dev.rondo.formats.mapping.Mapping} selects the fields for name, tags, time and values.
 */
package dev.rondo.formats.mapping;
