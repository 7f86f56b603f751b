/** Shared by collectd's formats: the naming of its values. */
package dev.rondo.formats.collectd;
