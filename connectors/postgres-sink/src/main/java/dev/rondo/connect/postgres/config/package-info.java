/** The connector's settings and their checks, which need no connection. */
package dev.rondo.connect.postgres.config;
