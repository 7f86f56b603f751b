/** OpenTelemetry metrics: OTLP as protobuf and as JSON. */
package dev.rondo.formats.otlp;
