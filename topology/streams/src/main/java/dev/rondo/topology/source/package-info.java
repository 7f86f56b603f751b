/** Which topics are read, and how. */
package dev.rondo.topology.source;
