/** Protobuf messages with a schema from a registry or a file. */
package dev.rondo.formats.protobuf;
