/** Decodes Prometheus remote write 1.0. */
package dev.rondo.formats.prometheus;
