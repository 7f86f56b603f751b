/**
 * Which points are sent, and in what order: pure arithmetic on a {@link
 * dev.rondo.loadgen.shape.PointGrid}, identical in Java and Python ({@code loadgen/golden}).
 */
package dev.rondo.loadgen.shape;
