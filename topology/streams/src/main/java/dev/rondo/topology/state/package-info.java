/** State on the heap that Kafka Streams writes to a changelog at every commit. */
package dev.rondo.topology.state;
