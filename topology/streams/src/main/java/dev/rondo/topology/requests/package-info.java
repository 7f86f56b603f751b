/** Requests to delete, rename or create series: {@code rondo.series-requests}. */
package dev.rondo.topology.requests;
