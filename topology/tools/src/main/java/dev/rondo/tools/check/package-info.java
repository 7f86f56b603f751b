/** {@code ./rondo check}: previews sources, and checks rights, replication and policies. */
package dev.rondo.tools.check;
