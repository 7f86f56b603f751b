/** Points of the past that are added while live points flow. */
package dev.rondo.tools.backfill;
