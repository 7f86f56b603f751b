/** The one connection of a task to PostgreSQL, and the check of a new config against the server. */
package dev.rondo.connect.postgres.connection;
