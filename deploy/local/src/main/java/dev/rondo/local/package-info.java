/**
 * The {@code rondo} command: runs all of Rondo on one machine, as separate processes under one
 * supervisor, which writes their state to {@code rondo.json} in the data folder.
 */
package dev.rondo.local;
