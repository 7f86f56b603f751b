/**
 * Runs a Kafka broker, a Connect worker and a PostgreSQL server as child processes, from binaries
 * on Maven Central, without installation. For tests and single machines.
 *
 * <p>Each start waits until the part answers, or throws {@link
 * dev.rondo.embedded.StartFailedException} with the end of its log. Open resources are closed in
 * reverse order when the JVM exits.
 */
package dev.rondo.embedded;
