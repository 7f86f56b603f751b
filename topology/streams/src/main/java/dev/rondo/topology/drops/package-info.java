/** The closed list of reasons why a point is not stored, each one counted. */
package dev.rondo.topology.drops;
