/**
 * One instance's share of a large deployment, measured beside what {@code ./rondo size} predicts.
 */
package dev.rondo.bench.scale;
