/** Rondo's topics: created, checked, read as a whole. */
package dev.rondo.topology.topics;
