/**
 * A range of points that is consolidated again beside the running topology: by topologies of its
 * own, whose rows are written into those that PostgreSQL has.
 */
package dev.rondo.history.job;
