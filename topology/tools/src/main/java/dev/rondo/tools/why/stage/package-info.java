/** Finds out the facts of a series, one stage of its way in each file. */
package dev.rondo.tools.why.stage;
