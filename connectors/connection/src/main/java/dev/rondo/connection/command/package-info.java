/** Arguments, help and errors of the commands of {@code ./rondo}. */
package dev.rondo.connection.command;
