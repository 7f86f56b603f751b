package dev.rondo.topology;

import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.PolicyVersions;
import dev.rondo.topology.source.SourceRules;

/**
 * Defines what the topology computes.
 *
 * @param rules which topics are read, and how
 * @param replayEpoch number of replays; state with a lower epoch is rewound
 */
public record TopologyDefinition(
    TopologyConfig config, PolicyVersions policies, SourceRules rules, int replayEpoch) {}
