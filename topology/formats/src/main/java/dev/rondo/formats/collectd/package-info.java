/** What collectd's formats share: how its values are named. */
package dev.rondo.formats.collectd;
