/**
 * A Rondo of one's own, its load and its commands, run by the script {@code ./rondo} as users do.
 */
package dev.rondo.harness;
