package dev.rondo.topology;

import dev.rondo.topology.consolidate.SeriesInquiry;
import dev.rondo.topology.consolidate.SeriesLocations;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * State that all tasks of an instance share. Safe to share between threads.
 *
 * @param merged merged source partitions
 * @param progress progress of the source partitions
 * @param locations locations of the series of all instances
 * @param memory memory budget of all tasks
 * @param inquiry questions that all tasks answer
 */
public record SharedState(
    MergedPartitions merged,
    SourceProgress progress,
    SeriesLocations locations,
    MemoryBudget memory,
    Drops drops,
    SeriesInquiry inquiry,
    MeterRegistry registry) {}
