/** Series that are deleted, renamed or created on request: {@code rondo.deletions}. */
package dev.rondo.topology.deletion;
