/** Series that are deleted on request: {@code rondo.deletions}. */
package dev.rondo.topology.deletion;
