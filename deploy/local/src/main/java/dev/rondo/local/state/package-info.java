/** Content of {@code rondo.json}: the state of a Rondo and of its processes. */
package dev.rondo.local.state;
