package dev.rondo.local.parts;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the reason why a process ended in its log. */
final class FatalLine {
  private static final int MAX_BYTES = 64 * 1024;
  private static final int MAX_LENGTH = 300;
  private static final Pattern FATAL = Pattern.compile("\\b(FATAL|PANIC)\\b");
  private static final Pattern ERROR = Pattern.compile("\\bERROR\\b");
  private static final Pattern EXCEPTION =
      Pattern.compile("^(Caused by: |Exception in thread .* )?[\\w.$]+(Exception|Error): ");

  private FatalLine() {}

  /** Returns the size of a log; 0 if it does not exist. */
  static long size(Path log) {
    try {
      return Files.size(log);
    } catch (IOException e) {
      return 0;
    }
  }

  /**
   * Returns the last fatal line, otherwise the last error, and the last exception, which is its
   * cause: at most 300 characters. Null if there is none, as after SIGKILL.
   *
   * @param from size of the log at the start of the process; a smaller log was rotated since
   */
  static String of(Path log, long from) {
    List<String> lines = lines(log, from);
    String fatal = last(lines, FATAL);
    String found =
        Stream.of(fatal == null ? last(lines, ERROR) : fatal, last(lines, EXCEPTION))
            .filter(Objects::nonNull)
            .distinct()
            .map(String::strip)
            .collect(Collectors.joining(": "));
    return found.isEmpty() ? null : found.substring(0, Math.min(found.length(), MAX_LENGTH));
  }

  private static List<String> lines(Path log, long from) {
    try (var file = Files.newByteChannel(log)) {
      long begin = file.size() < from ? 0 : from;
      file.position(Math.max(begin, file.size() - MAX_BYTES));
      byte[] bytes = Channels.newInputStream(file).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String last(List<String> lines, Pattern pattern) {
    return lines.stream()
        .filter(line -> pattern.matcher(line).find())
        .reduce((first, second) -> second)
        .orElse(null);
  }
}
