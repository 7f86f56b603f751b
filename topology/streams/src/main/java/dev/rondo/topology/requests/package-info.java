/** Requests that series are deleted, renamed or created: {@code rondo.series-requests}. */
package dev.rondo.topology.requests;
