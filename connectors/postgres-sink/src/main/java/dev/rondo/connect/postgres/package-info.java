/**
 * Kafka Connect sink: bundle rows and series into PostgreSQL. It knows rows and places, nothing of
 * how values came about. The way of a put: {@code ChangeReader} → {@code RowWriter} → one class per
 * statement; what fails is judged by {@code SqlStates}.
 */
package dev.rondo.connect.postgres;
