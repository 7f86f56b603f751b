/** Events that are stored in PostgreSQL. */
package dev.rondo.tools.events;
