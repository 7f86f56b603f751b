/** Decodes Metrictank's messages, which carbon-relay-ng and tsdb-gw send. */
package dev.rondo.formats.metrictank;
