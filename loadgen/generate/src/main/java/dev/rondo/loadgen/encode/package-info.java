/** Encodes points: one class per format, each the inverse of a decoder of the topology. */
package dev.rondo.loadgen.encode;
