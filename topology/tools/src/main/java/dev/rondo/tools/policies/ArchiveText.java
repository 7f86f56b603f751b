package dev.rondo.tools.policies;

import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ConsolidationFunction;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.Spans;
import java.util.List;

/** Formats archives as in the policies file: {@code 10s:6h}, {@code max:1m:7d:0.1}. */
public final class ArchiveText {
  private static final double DEFAULT_XFF = 0.5;

  private ArchiveText() {}

  /** The archives of a policy. */
  public static List<String> of(Policy policy) {
    return policy.archives().stream().map(ArchiveText::of).toList();
  }

  private static String of(Archive archive) {
    String function =
        archive.function() == ConsolidationFunction.WMEAN ? "" : archive.function().key() + ":";
    return function
        + Spans.format(archive.shape().stepMs())
        + ":"
        + Spans.format(archive.shape().spanMs())
        + (archive.xff() == DEFAULT_XFF ? "" : ":" + archive.xff());
  }
}
