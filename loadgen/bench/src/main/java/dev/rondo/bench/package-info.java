/** The command {@code rondo bench}: cost of a restart and of a series, on a real broker. */
package dev.rondo.bench;
