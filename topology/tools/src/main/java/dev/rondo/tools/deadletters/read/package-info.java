/** Dead letters as they are in {@code rondo.dead-letters}: reading, selecting and marking them. */
package dev.rondo.tools.deadletters.read;
