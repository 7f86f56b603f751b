/** The parts of a Rondo as processes: starts, supervises and stops them. */
package dev.rondo.local.parts;
