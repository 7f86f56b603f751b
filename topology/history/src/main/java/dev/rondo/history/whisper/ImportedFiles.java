package dev.rondo.history.whisper;

import dev.rondo.schemas.Ident;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Names the series of files, and finds their policies. */
final class ImportedFiles {
  private final GraphitePath paths;
  private final PointNames names;
  private final Policies policies;
  private final ImportReport report;

  /**
   * @param taggedNames those of files whose name is a hash
   */
  ImportedFiles(
      Collection<String> taggedNames, PointNames names, Policies policies, ImportReport report) {
    this.paths = new GraphitePath(taggedNames);
    this.names = names;
    this.policies = policies;
    this.report = report;
  }

  /** The files that become series, by ident; the others are reported. */
  Map<String, Imported> of(List<String> files) {
    Map<String, Imported> byIdent = new LinkedHashMap<>();
    for (String file : files) {
      try {
        Imported one = of(file);
        Imported other = byIdent.putIfAbsent(one.ident(), one);
        if (other != null) {
          report.leftOut(file, "it is the same series as " + other.file());
        }
      } catch (UnreadableFileException e) {
        report.leftOut(file, e.getMessage());
      }
    }
    return byIdent;
  }

  private Imported of(String file) throws UnreadableFileException {
    String ident = names.ident(paths.of(file));
    Optional<Policy> policy = policies.of(Ident.parse(ident));
    if (policy.isEmpty()) {
      throw new UnreadableFileException("no policy covers its series " + ident);
    }
    if (policy.get().drops()) {
      throw new UnreadableFileException(
          "policy %s drops its series %s".formatted(policy.get().name(), ident));
    }
    return new Imported(file, ident, policy.get());
  }

  /** The header of a file; empty, and reported, if it cannot be read. */
  Optional<WhisperHeader> header(WhisperReader reader, Path dir, Imported one) {
    try {
      WhisperHeader header = reader.header(dir.resolve(one.file()));
      AggregationMethod method = header.method();
      if (header.places().size() > 1
          && (!method.isExact() || method.function() != one.policy().aggregate())) {
        report.otherMethod(
            "of the method %s, policy %s shows %s: their values are taken as they are"
                .formatted(method.key(), one.policy().name(), one.policy().aggregate().key()));
      }
      return Optional.of(header);
    } catch (UnreadableFileException e) {
      report.leftOut(one.file(), e.getMessage());
      return Optional.empty();
    }
  }
}
