package dev.rondo.history.whisper;

import dev.rondo.topology.policy.Policy;

/**
 * A file, and the series that it becomes.
 *
 * @param file relative to the folder
 * @param policy that covers the series
 */
record Imported(String file, String ident, Policy policy) {}
