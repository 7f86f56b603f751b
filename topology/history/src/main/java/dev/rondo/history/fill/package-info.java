/**
 * Fills new archives from finer ones: {@code Sources} chooses from which, {@code SegmentFill} fills
 * a part of a segment in one transaction, {@code MoveFill} does so for series that have moved
 * there, {@code Filler} goes through all of them.
 */
package dev.rondo.history.fill;
