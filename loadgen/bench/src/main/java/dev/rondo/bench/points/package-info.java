/** JMH benchmarks of decoding and consolidating a point: {@code ./rondo bench points}. */
package dev.rondo.bench.points;
