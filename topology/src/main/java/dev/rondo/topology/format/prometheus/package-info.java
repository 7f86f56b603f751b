/** Prometheus remote write. */
package dev.rondo.topology.format.prometheus;
