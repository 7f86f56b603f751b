/** What a row costs PostgreSQL: written by the real sink, read through the view. */
package dev.rondo.bench.postgres;
