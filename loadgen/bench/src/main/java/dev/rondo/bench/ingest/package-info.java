/** A whole Rondo on one machine under load: its throughput and its cost. */
package dev.rondo.bench.ingest;
