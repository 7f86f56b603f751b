/** The command dead-letters: what could not be stored is listed, and sent to its topic again. */
package dev.rondo.tools.deadletters;
