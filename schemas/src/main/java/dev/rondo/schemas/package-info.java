/** The contracts: topics, their messages, and types that two parts share. */
package dev.rondo.schemas;
