/** Starts, supervises and stops the parts of a Rondo. */
package dev.rondo.local.parts;
