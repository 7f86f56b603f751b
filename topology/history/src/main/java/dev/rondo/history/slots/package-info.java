/** Writes slots into {@code ts} beside the sink. */
package dev.rondo.history.slots;
