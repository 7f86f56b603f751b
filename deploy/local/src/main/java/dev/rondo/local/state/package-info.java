/** What {@code rondo.json} holds: the state of a Rondo and of its processes. */
package dev.rondo.local.state;
