/** Keeps the logs of a running Rondo small. */
package dev.rondo.local.logs;
