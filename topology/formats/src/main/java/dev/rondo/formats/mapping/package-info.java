/**
 * Points of records that follow no metrics protocol: a {@link dev.rondo.formats.mapping.Mapping}
 * says which fields are name, tags, time and values, whether the record is Avro, Protobuf or JSON.
 */
package dev.rondo.formats.mapping;
