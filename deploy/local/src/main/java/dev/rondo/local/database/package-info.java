/** Rondo's tables and roles in a PostgreSQL database. */
package dev.rondo.local.database;
