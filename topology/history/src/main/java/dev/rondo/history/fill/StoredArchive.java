package dev.rondo.history.fill;

import dev.rondo.rows.Bundle;
import dev.rondo.rows.Row;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ArchiveShape;
import dev.rondo.topology.archive.ConsolidationFunction;
import dev.rondo.topology.policy.Spans;

/**
 * An archive as PostgreSQL has it, a row of {@code rra_bundle}.
 *
 * @param id of the bundle
 * @param whisper whether its policy is in Whisper mode
 * @param firstMs end of the oldest slot that was ever written, epoch ms
 * @param latestMs end of the newest slot, epoch ms
 */
record StoredArchive(
    int id,
    String policy,
    Archive archive,
    int width,
    boolean whisper,
    long firstMs,
    long latestMs) {

  ConsolidationFunction function() {
    return archive.function();
  }

  /** What identifies it. */
  Bundle bundle() {
    return new Bundle(policy, function().key(), stepMs(), shape().size());
  }

  /** A row of it to write. */
  Row row(int seg, long endMs, double[] dp) {
    return new Row(new Row.Key(bundle(), seg, shape().index(endMs)), width, endMs, dp);
  }

  ArchiveShape shape() {
    return archive.shape();
  }

  long stepMs() {
    return shape().stepMs();
  }

  /** Start of the oldest slot that was ever written, epoch ms. */
  long beginMs() {
    return firstMs - stepMs();
  }

  /** Start of the oldest slot that is still stored, epoch ms. */
  long oldestMs() {
    return Math.max(beginMs(), latestMs - shape().spanMs());
  }

  /** Whether points make the same slots in both: only the lengths differ. */
  boolean hasSlotsOf(StoredArchive other) {
    return function() == other.function()
        && stepMs() == other.stepMs()
        && archive.xff() == other.archive.xff();
  }

  /** Whether its slots give those of another archive for as long as that one keeps them. */
  boolean keeps(StoredArchive other) {
    return function() == other.function()
        && whisper == other.whisper
        && other.stepMs() % stepMs() == 0
        && shape().spanMs() >= other.shape().spanMs();
  }

  /** As in a policies file, after the name of the policy: {@code app max:1h:1y}. */
  String title() {
    return "%s %s:%s:%s"
        .formatted(
            policy, function().key(), Spans.format(stepMs()), Spans.format(shape().spanMs()));
  }
}
