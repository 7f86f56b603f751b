/** What is done before Kafka Streams commits. */
package dev.rondo.topology.commit;
