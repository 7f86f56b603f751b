/** Cost of a row in PostgreSQL: written by the real sink, read through the view. */
package dev.rondo.bench.postgres;
