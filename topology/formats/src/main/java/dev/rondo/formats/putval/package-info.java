/** Decodes PUTVAL lines of collectd. */
package dev.rondo.formats.putval;
