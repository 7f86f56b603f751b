/** Decodes Influx line protocol. */
package dev.rondo.formats.influx;
