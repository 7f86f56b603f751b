/**
 * Imports the Whisper files of a Graphite: reads them, names their series, converts their slots.
 */
package dev.rondo.history.whisper;
