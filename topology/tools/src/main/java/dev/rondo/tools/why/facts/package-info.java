/** What is known of a series along its way, and what follows from it. Pure: reads nothing. */
package dev.rondo.tools.why.facts;
