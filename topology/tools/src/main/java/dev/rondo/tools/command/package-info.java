/** What the commands of {@code ./rondo} that talk to the topology's cluster have in common. */
package dev.rondo.tools.command;
