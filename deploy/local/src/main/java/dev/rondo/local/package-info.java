/**
 * The {@code rondo} command: all of Rondo on one machine, as processes of their own, kept alive by
 * one supervisor. What it runs and where is written to {@code rondo.json} in the data folder.
 */
package dev.rondo.local;
