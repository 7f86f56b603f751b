package dev.rondo.formats.mapping;

import java.util.ArrayList;
import java.util.List;

/**
 * Location of a part in a record: {@code host.name}, or {@code samples[].value} for each item of a
 * list or map. The step {@code @key} is the key of the map's current entry.
 *
 * <pre>
 *   racks[].sensors[].value   loops: racks, sensors   steps after the last loop: value
 * </pre>
 *
 * @param loops steps to each list or map to iterate, relative to the item of the previous loop
 * @param steps from the item of the last loop, or from the record, to the part
 * @param isOptional whether a schema can lack the part: the path ends with {@code ?}
 */
public record Path(List<List<String>> loops, List<String> steps, boolean isOptional) {
  /** The step that stands for the key of an entry. */
  static final String KEY = "@key";

  private static final String LOOP = "[]";
  private static final String OPTIONAL = "?";

  /** More would be a mistake, and each loop multiplies the work. */
  private static final int MAX_LOOPS = 8;

  public Path {
    loops = List.copyOf(loops);
    steps = List.copyOf(steps);
  }

  /** Parses a path; throws {@link IllegalArgumentException} if it is invalid. */
  public static Path parse(String text) {
    boolean isOptional = text.endsWith(OPTIONAL);
    List<List<String>> loops = new ArrayList<>();
    List<String> steps = new ArrayList<>();
    for (String part : text.substring(0, text.length() - (isOptional ? 1 : 0)).split("\\.", -1)) {
      String step = part;
      int loopsHere = 0;
      while (step.endsWith(LOOP)) {
        step = step.substring(0, step.length() - LOOP.length());
        loopsHere++;
      }
      checkStep(step, text);
      steps.add(step);
      for (int n = 0; n < loopsHere; n++) {
        loops.add(List.copyOf(steps));
        steps.clear();
      }
    }
    int keyAt = steps.indexOf(KEY);
    if (loops.size() > MAX_LOOPS
        || (keyAt >= 0 && (loops.isEmpty() || steps.size() > 1))
        || loops.stream().anyMatch(loop -> loop.contains(KEY))) {
      throw invalid(text);
    }
    return new Path(loops, steps, isOptional);
  }

  private static void checkStep(String step, String text) {
    if (step.isBlank() || step.contains("[") || step.contains("]") || step.contains(OPTIONAL)) {
      throw invalid(text);
    }
  }

  private static IllegalArgumentException invalid(String text) {
    return new IllegalArgumentException(
        "'%s' is not a path: field names separated by dots, [] after a list or map for its items, @key"
                .formatted(text)
            + " after [] for the key of an entry, ? at the end if a schema may lack it; at most %d []"
                .formatted(MAX_LOOPS));
  }

  /** Returns the last field name of the path. */
  String last() {
    for (int n = steps.size() - 1; n >= 0; n--) {
      if (!steps.get(n).equals(KEY)) {
        return steps.get(n);
      }
    }
    for (int n = loops.size() - 1; n >= 0; n--) {
      if (!loops.get(n).isEmpty()) {
        return loops.get(n).get(loops.get(n).size() - 1);
      }
    }
    return "";
  }

  boolean isKey() {
    return steps.size() == 1 && steps.get(0).equals(KEY);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (List<String> loop : loops) {
      append(text, loop);
      text.append(LOOP);
    }
    append(text, steps);
    return text.append(isOptional ? OPTIONAL : "").toString();
  }

  private static void append(StringBuilder text, List<String> steps) {
    if (!steps.isEmpty()) {
      text.append(text.isEmpty() ? "" : ".").append(String.join(".", steps));
    }
  }
}
