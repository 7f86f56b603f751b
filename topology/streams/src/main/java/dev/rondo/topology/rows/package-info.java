/** Combines closed slots of many series into one row per bundle, segment and slot. */
package dev.rondo.topology.rows;
