/** The same points in Rondo and in VictoriaMetrics: what they cost, and how fast they are read. */
package dev.rondo.bench.peers;
