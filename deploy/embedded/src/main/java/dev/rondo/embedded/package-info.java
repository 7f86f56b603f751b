/**
 * A Kafka broker, a Connect worker and a PostgreSQL server as processes of their own, from the
 * binaries on Maven Central: nothing needs to be installed. For tests and for one machine.
 *
 * <p>Each start returns once the part really answers, and throws {@link
 * dev.rondo.embedded.StartFailedException} with the end of its log when it does not. What is still
 * open when the JVM exits is closed then, last opened first.
 */
package dev.rondo.embedded;
