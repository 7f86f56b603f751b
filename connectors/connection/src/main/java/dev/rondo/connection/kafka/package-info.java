/** How every part reaches Kafka: one file of Kafka's own client settings, and the environment. */
package dev.rondo.connection.kafka;
