/** Bounds the heap that the tasks of an instance use. */
package dev.rondo.topology.memory;
