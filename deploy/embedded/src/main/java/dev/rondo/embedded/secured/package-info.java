/** A broker with TLS and SASL, its certificates and its token server, for tests. */
package dev.rondo.embedded.secured;
