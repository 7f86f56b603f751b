/** Injects faults into a whole Rondo under a planned load, then verifies every slot. */
package dev.rondo.chaos;
