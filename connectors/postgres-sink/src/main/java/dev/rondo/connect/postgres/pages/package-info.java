/**
 * How rows lie in the pages of {@code ts}, so that PostgreSQL replaces each of them in its own
 * page.
 */
package dev.rondo.connect.postgres.pages;
