/** Points as bytes: one class a format, each the reverse of a decoder of the topology. */
package dev.rondo.loadgen.encode;
