package dev.rondo.tools.policies;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads text as Python's {@code configparser} does, which carbon uses: sections in order, {@code
 * key = value} or {@code key: value}, keys in any case, lines that begin with {@code #} or {@code
 * ;} are comments.
 */
final class IniFile {
  private static final Pattern SECTION = Pattern.compile("\\[(.+)].*");
  private static final Pattern OPTION = Pattern.compile("([^=:\\s][^=:]*?)\\s*[=:]\\s*(.*)");

  private IniFile() {}

  /** The options of each section, in the order of the file. */
  static Map<String, Map<String, String>> parse(String text) {
    var sections = new LinkedHashMap<String, Map<String, String>>();
    Map<String, String> options = new LinkedHashMap<>(); // before the first section: ignored
    for (String line : text.lines().map(String::strip).toList()) {
      Matcher section = SECTION.matcher(line);
      Matcher option = OPTION.matcher(line);
      if (line.startsWith("#") || line.startsWith(";")) {
        continue;
      }
      if (section.matches()) {
        options = sections.computeIfAbsent(section.group(1), name -> new LinkedHashMap<>());
      } else if (option.matches()) {
        options.put(option.group(1).toLowerCase(Locale.ROOT), option.group(2));
      }
    }
    return sections;
  }
}
