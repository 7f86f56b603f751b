/** Closed slots of many series → one row per bundle, segment and slot. */
package dev.rondo.topology.rows;
