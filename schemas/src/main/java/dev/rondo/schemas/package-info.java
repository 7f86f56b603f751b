/**
 * The contracts: topics and their messages. Depends on nothing of Rondo; everything depends on it.
 */
package dev.rondo.schemas;
