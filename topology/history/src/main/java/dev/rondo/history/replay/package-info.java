/**
 * The command replay: plans from which offsets to read source topics again, sets them and raises
 * the replay epoch.
 */
package dev.rondo.history.replay;
