/** The Kafka clients of an instance, and what they watch of the source topics. */
package dev.rondo.topology.clients;
