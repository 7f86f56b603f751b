/**
 * The command check: reads and decodes records of a topic and prints the result; stores nothing.
 */
package dev.rondo.tools.check;
