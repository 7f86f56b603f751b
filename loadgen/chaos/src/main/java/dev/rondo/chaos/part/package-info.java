/** The parts of a Rondo that faults happen to. */
package dev.rondo.chaos.part;
