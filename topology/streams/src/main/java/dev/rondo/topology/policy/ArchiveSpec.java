package dev.rondo.topology.policy;

import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ArchiveShape;
import dev.rondo.topology.archive.ConsolidationFunction;
import dev.rondo.topology.settings.SettingException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Parses the archives of a policy, {@code [function:]step:span[:xff]}: {@code 10s:6h}, {@code
 * max:1m:7d}, {@code 1h:1y:0.3}. Whisper mode also accepts {@code avg}.
 *
 * @param policyStepMs length of the finest slot, ms
 * @param finest function of the points of one finest slot
 * @param aggregate function of archives that name none
 */
record ArchiveSpec(
    long policyStepMs, ConsolidationFunction finest, ConsolidationFunction aggregate) {
  private static final double DEFAULT_XFF = 0.5;

  /** Graphite's name of the mean: in Whisper mode all known finest slots have the same weight. */
  private static final String AVG = "avg";

  /**
   * @param key path in the file, for the error text
   */
  Archive parse(String text, String key) {
    List<String> parts = Arrays.asList(text.strip().split(":", -1));
    ConsolidationFunction named = null;
    if (!parts.get(0).isEmpty() && Character.isLetter(parts.get(0).charAt(0))) {
      named = function(parts.get(0), finest != ConsolidationFunction.WMEAN, key);
      parts = parts.subList(1, parts.size());
    }
    if (parts.size() < 2 || parts.size() > 3) {
      throw new SettingException("'" + text + "' is not [function:]step:span[:xff] (" + key + ")");
    }
    long stepMs = Spans.parseMs(parts.get(0), key);
    long spanMs = Spans.parseMs(parts.get(1), key);
    if (stepMs == 0 || stepMs % policyStepMs != 0) {
      throw new SettingException(
          "step %s is not a multiple of the policy's step %s (%s)"
              .formatted(parts.get(0), Spans.format(policyStepMs), key));
    }
    if (spanMs == 0 || spanMs % stepMs != 0) {
      throw new SettingException(
          "span %s is not a multiple of step %s (%s)".formatted(parts.get(1), parts.get(0), key));
    }
    if (spanMs / stepMs > Integer.MAX_VALUE) {
      throw new SettingException(
          "span %s has %d slots of %s, more than %d (%s)"
              .formatted(parts.get(1), spanMs / stepMs, parts.get(0), Integer.MAX_VALUE, key));
    }
    double xff = parts.size() == 3 ? xff(parts.get(2), key) : defaultXff();
    var shape = new ArchiveShape(stepMs, (int) (spanMs / stepMs));
    return new Archive(named == null ? unnamed(stepMs) : named, shape, xff);
  }

  /** Returns 0 for sums: a slot without increments adds nothing, so the sum is known anyway. */
  private double defaultXff() {
    return finest == ConsolidationFunction.SUM ? 0 : DEFAULT_XFF;
  }

  /**
   * Returns the function of an archive that names none. In the policy's step all functions have the
   * same values; a fixed one keeps the archive unchanged when {@code aggregate} changes.
   */
  private ConsolidationFunction unnamed(long stepMs) {
    return stepMs == policyStepMs ? ConsolidationFunction.WMEAN : aggregate;
  }

  /**
   * @param key path in the file, for the error text
   */
  static ConsolidationFunction function(String text, boolean isWhisper, String key) {
    if (text.equals(AVG)) {
      if (isWhisper) {
        return ConsolidationFunction.WMEAN;
      }
      throw new SettingException(
          "function 'avg' needs heartbeat 0: with a heartbeat the mean is 'wmean' (" + key + ")");
    }
    for (ConsolidationFunction function : ConsolidationFunction.values()) {
      if (function.key().equals(text)) {
        return function;
      }
    }
    String known =
        Arrays.stream(ConsolidationFunction.values())
            .map(ConsolidationFunction::key)
            .collect(Collectors.joining(", "));
    throw new SettingException("function '" + text + "' is not one of " + known + " (" + key + ")");
  }

  private static double xff(String text, String key) {
    try {
      double xff = Double.parseDouble(text);
      if (xff >= 0 && xff <= 1) {
        return xff;
      }
    } catch (NumberFormatException e) {
      // reported below, like a number out of bounds
    }
    throw new SettingException("xff '" + text + "' is not a number within 0..1 (" + key + ")");
  }
}
