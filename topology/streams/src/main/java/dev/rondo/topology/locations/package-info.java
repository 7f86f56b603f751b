/** Where the series of all instances live, to find those of keyed sources that live twice. */
package dev.rondo.topology.locations;
