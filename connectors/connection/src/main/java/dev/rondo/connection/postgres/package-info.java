/** How every command reaches PostgreSQL: one form of URL, and sessions that a pooler may share. */
package dev.rondo.connection.postgres;
