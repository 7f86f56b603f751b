/**
 * The policies file: {@code ./rondo policies import} makes it from Graphite's settings, {@code
 * ./rondo check policies} reads it.
 */
package dev.rondo.tools.policies;
