/** The rows that are written, and how they reach the tables. */
package dev.rondo.bench.postgres.rows;
