/** The rights on a Kafka cluster that each part of Rondo needs. */
package dev.rondo.topology.access;
