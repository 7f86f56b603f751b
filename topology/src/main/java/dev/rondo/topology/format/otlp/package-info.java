/** OpenTelemetry metrics: OTLP as protobuf and as JSON. */
package dev.rondo.topology.format.otlp;
