/** {@code ./rondo send}: sends lines to a topic. */
package dev.rondo.tools.send;
