/**
 * Which points there are, and in what order they leave: pure arithmetic on a {@link
 * dev.rondo.loadgen.shape.PointGrid}, the same in Java and in Python ({@code loadgen/golden}).
 */
package dev.rondo.loadgen.shape;
