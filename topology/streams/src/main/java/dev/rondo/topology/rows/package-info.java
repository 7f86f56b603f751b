/** Combines closed slots of many series into one row per archive, segment and slot. */
package dev.rondo.topology.rows;
