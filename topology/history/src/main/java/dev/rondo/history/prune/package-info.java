/** Removes from PostgreSQL what no query can reach any more (docs/decisions/0031). */
package dev.rondo.history.prune;
