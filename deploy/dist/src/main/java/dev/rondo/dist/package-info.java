/** The command {@code rondo} of a release, which needs no clone. */
package dev.rondo.dist;
