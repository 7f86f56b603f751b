/** Publishes the metrics of Kafka's own clients and of Kafka Streams. */
package dev.rondo.client.kafka;
