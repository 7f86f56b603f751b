/**
 * Shared by the commands that talk to the topology's cluster: options, parsing, errors, exit codes.
 */
package dev.rondo.tools.command;
