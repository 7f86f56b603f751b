/**
 * How far each topic partition is applied to the database: the offsets that a transaction locks,
 * expects and moves.
 */
package dev.rondo.connect.postgres.offsets;
