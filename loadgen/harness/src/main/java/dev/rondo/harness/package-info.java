/** Starts a separate Rondo, its load and other commands through the script {@code ./rondo}. */
package dev.rondo.harness;
