/**
 * Connection of every command to PostgreSQL: one form of URL, and sessions that a pooler may share.
 */
package dev.rondo.connection.postgres;
