/** The command {@code rondo bench}: what a restart and a series cost, on a real broker. */
package dev.rondo.bench;
