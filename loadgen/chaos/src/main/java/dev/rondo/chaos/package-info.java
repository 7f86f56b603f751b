/** Kills parts of a whole Rondo under a planned load, and has the load verified afterwards. */
package dev.rondo.chaos;
