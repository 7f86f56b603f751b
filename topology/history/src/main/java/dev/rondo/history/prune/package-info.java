/** Removes unreachable data from PostgreSQL (docs/decisions/0031). */
package dev.rondo.history.prune;
