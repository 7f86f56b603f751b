/** Counters, gauges and timers of an application, published to Kafka at the pace of a step. */
package dev.rondo.client;
