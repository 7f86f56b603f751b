/** Other servers, which lack the newest rows, take the place of PostgreSQL. */
package dev.rondo.chaos.postgres;
