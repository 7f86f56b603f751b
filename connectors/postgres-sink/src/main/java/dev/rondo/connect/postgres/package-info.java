/**
 * Kafka Connect sink that writes bundle rows and series to PostgreSQL: the connector, its task and
 * the converter. {@code changes} reads records, {@code writing} writes them, {@code errors} decides
 * what happens to those that fail.
 */
package dev.rondo.connect.postgres;
