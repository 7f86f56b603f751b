/** The whole of Rondo on one machine under load: what it takes in, and what that costs. */
package dev.rondo.bench.ingest;
