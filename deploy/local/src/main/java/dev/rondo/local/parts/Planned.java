package dev.rondo.local.parts;

import java.util.Set;

/**
 * A step and its place in a start: it begins as soon as the steps that it needs are done.
 *
 * @param needs names of earlier steps; those that this start does not have count as done
 */
record Planned(Step step, Set<String> needs) {}
