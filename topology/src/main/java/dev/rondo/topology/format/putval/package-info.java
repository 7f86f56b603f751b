/** PUTVAL lines of collectd. */
package dev.rondo.topology.format.putval;
