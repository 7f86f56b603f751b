/** Output on a terminal, and the chart that {@code rondo up} draws there. */
package dev.rondo.local.terminal;
