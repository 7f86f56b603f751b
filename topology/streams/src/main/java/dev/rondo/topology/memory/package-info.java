/** What the tasks of an instance may hold of its heap. */
package dev.rondo.topology.memory;
