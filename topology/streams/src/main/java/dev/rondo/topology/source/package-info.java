/** Which topics are read, and how: the sources file. */
package dev.rondo.topology.source;
