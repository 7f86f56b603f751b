/**
 * Connection of every part to Kafka: one file of Kafka's own client settings, and the environment.
 */
package dev.rondo.connection.kafka;
