/** The series that the topology knows: {@code ./rondo series} lists, counts and deletes them. */
package dev.rondo.tools.series;
