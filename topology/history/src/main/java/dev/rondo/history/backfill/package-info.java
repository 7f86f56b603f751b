/** Points of the past that are added while live points flow. */
package dev.rondo.history.backfill;
