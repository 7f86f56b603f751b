package dev.rondo.local.parts;

import java.util.Set;

/**
 * A step of a start and its dependencies.
 *
 * @param needs names of earlier steps that must be done; absent steps count as done
 */
record Planned(Step step, Set<String> needs) {}
