/** Decodes Metrictank's messages, as sent by carbon-relay-ng and tsdb-gw. */
package dev.rondo.formats.metrictank;
