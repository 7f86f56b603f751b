/** Reads YAML files of settings and reports errors in them. */
package dev.rondo.topology.settings;
