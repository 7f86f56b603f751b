/** The command dead-letters: lists dead letters. */
package dev.rondo.tools.deadletters;
