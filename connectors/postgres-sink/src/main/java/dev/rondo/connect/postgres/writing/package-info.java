/** Writes the changes of a put: which statements run, in which order and in which transaction. */
package dev.rondo.connect.postgres.writing;
