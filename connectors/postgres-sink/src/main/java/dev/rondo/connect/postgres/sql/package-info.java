/** One class per statement on {@code ds}, {@code event} and chunks of {@code ts}. */
package dev.rondo.connect.postgres.sql;
