/**
 * Metrics of a task, exposed over JMX as one MBean with maps for buckets and reasons. Written out
 * here, because registries name metrics instead of MBeans and do not hand a name over to the
 * successor of a task that hangs.
 */
package dev.rondo.connect.postgres.metrics;
