/** {@code check source}: what Rondo would make of the records of a topic. */
package dev.rondo.tools.check.source;
