/** Prometheus remote write. */
package dev.rondo.formats.prometheus;
