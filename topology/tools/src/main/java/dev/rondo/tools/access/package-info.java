/**
 * {@code ./rondo acls} and {@code check access}: rights that parts need, and those that they lack.
 */
package dev.rondo.tools.access;
