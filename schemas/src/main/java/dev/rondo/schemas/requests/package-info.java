/** Requests about series: {@code rondo.series-requests}. */
package dev.rondo.schemas.requests;
