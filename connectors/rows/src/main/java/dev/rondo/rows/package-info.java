/**
 * Rows of {@code ts} and their archives in {@code rra_bundle}: how they are found, merged and
 * written.
 */
package dev.rondo.rows;
