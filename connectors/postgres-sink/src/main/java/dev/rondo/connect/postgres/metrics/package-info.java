/** Metrics of a task, exposed over JMX. */
package dev.rondo.connect.postgres.metrics;
