/** Series that are deleted or renamed on request: {@code rondo.deletions}. */
package dev.rondo.topology.deletion;
