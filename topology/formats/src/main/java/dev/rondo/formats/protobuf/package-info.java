/** Protobuf messages with a schema of a registry or a file. */
package dev.rondo.formats.protobuf;
