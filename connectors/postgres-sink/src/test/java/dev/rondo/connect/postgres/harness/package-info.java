/**
 * What the sink's tests share: databases, brokers and workers to start, and a model of the tables.
 */
package dev.rondo.connect.postgres.harness;
