/**
 * Engines that write the past into PostgreSQL beside the sink, and the commands that start them.
 */
package dev.rondo.history;
