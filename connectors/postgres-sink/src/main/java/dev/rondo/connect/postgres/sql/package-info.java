/**
 * One class per statement on {@code ts}, {@code rra_bundle} and {@code ds}, and the rows that they
 * return.
 */
package dev.rondo.connect.postgres.sql;
