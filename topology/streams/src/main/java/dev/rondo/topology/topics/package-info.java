/** Creates, checks and reads Rondo's own topics. */
package dev.rondo.topology.topics;
