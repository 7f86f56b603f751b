/** Where series live and have lived, for slots of the past that are written beside the topology. */
package dev.rondo.history.locations;
