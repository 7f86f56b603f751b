/** What a deployment needs, from measured costs: the command {@code ./rondo size}. */
package dev.rondo.tools.size;
