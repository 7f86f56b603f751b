/** The PostgreSQL server under test: its settings, its size and its latency. */
package dev.rondo.bench.postgres.server;
