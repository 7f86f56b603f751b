/** Influx line protocol. */
package dev.rondo.topology.format.influx;
