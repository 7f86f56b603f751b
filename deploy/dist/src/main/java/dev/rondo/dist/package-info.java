/** The command {@code rondo} of a release: what runs without a clone. */
package dev.rondo.dist;
