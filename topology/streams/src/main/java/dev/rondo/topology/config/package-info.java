/** Settings of the topology. */
package dev.rondo.topology.config;
