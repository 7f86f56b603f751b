/** The command {@code ./rondo loadgen}: turns options into a plan and runs it. */
package dev.rondo.loadgen;
