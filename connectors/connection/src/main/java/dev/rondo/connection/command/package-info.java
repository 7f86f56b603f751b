/** How the commands of {@code ./rondo} read arguments, show help and report errors. */
package dev.rondo.connection.command;
