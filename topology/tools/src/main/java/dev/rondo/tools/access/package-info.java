/** The command {@code ./rondo acls}: the rights that each part needs. */
package dev.rondo.tools.access;
