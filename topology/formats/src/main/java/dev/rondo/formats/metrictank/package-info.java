/** Metrictank's messages: carbon-relay-ng, tsdb-gw. */
package dev.rondo.formats.metrictank;
