/** Sends a plan on schedule and counts what Kafka acknowledges. */
package dev.rondo.loadgen.send;
