/** The HTTP server that the processes of the topology and its tools have. */
package dev.rondo.topology.http;
