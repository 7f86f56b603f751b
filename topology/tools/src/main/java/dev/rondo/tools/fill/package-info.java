/**
 * Fills new archives from finer ones: {@code Sources} chooses from which, {@code SegmentFill} fills
 * a part of a segment in one transaction, {@code Filler} goes through all of them.
 */
package dev.rondo.tools.fill;
