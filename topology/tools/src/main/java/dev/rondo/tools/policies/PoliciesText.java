package dev.rondo.tools.policies;

import java.util.List;
import java.util.stream.Collectors;

/** The text of a policies file. */
final class PoliciesText {
  private static final String HEADER =
      """
      # Policies from Graphite's storage-schemas.conf and storage-aggregation.conf, written by ./rondo policies import.
      # heartbeat 0 is Whisper mode: a point sets the slot that it falls in. The last number of an archive is the least
      # share of known slots, as xFilesFactor. The first archive stores the last value of a slot, as Whisper does; the
      # others consolidate by aggregate, as aggregationMethod, or else by the mean.
      policies:
      """;

  private PoliciesText() {}

  static String of(List<ImportedPolicy> policies) {
    return policies.stream().map(PoliciesText::of).collect(Collectors.joining("", HEADER, ""));
  }

  private static String of(ImportedPolicy policy) {
    String notes = policy.notes().stream().map("  # %s\n"::formatted).collect(Collectors.joining());
    return notes
        + """
          - name: %s
            match: %s
            step: %s
            heartbeat: 0
        %s    archives: [%s]
        """
            .formatted(
                quoted(policy.name()),
                quoted(policy.match()),
                policy.step(),
                policy.aggregate().equals("avg")
                    ? ""
                    : "    aggregate: %s%n".formatted(policy.aggregate()),
                policy.archives().stream()
                    .map(archive -> '"' + archive + '"')
                    .collect(Collectors.joining(", ")));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
