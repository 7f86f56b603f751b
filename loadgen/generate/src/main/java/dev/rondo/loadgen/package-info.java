/** The command {@code ./rondo loadgen}: from options to a plan and a run of it. */
package dev.rondo.loadgen;
