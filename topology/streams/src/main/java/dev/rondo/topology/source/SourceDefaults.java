package dev.rondo.topology.source;

import dev.rondo.formats.RecordLimits;
import dev.rondo.topology.policy.Policies;

/**
 * Settings that all sources share.
 *
 * @param internal topics that are never sources
 * @param identMaxBytes longest ident, UTF-8
 * @param identMaxTags maximum number of tags of an ident
 * @param limits what a record may cost
 * @param policies policies that a source can name
 */
public record SourceDefaults(
    InternalTopics internal,
    int identMaxBytes,
    int identMaxTags,
    RecordLimits limits,
    Policies policies) {}
