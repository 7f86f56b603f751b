/** The Kafka clients of an instance, and the discovery of source partitions and end offsets. */
package dev.rondo.topology.clients;
