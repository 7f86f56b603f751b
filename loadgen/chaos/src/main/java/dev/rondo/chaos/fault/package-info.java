/** Faults, the scenarios that schedule them, and the Rondo that they happen to. */
package dev.rondo.chaos.fault;
