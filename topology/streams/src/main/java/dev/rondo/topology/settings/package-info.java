/** YAML files of settings: reading them, and telling what is wrong in them. */
package dev.rondo.topology.settings;
