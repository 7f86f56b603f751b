package dev.rondo.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands of a page: blocks that begin with {@code ```sh}. */
record HowTo(List<String> blocks) {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\n(.*?)^```$");

  static HowTo read(Path page) throws IOException {
    Matcher matcher = BLOCK.matcher(Files.readString(page));
    return new HowTo(matcher.results().map(each -> each.group(1)).toList());
  }

  /** Returns the only block that contains a text. */
  String with(String text) {
    List<String> found = blocks.stream().filter(block -> block.contains(text)).toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "%d blocks of the page contain '%s', not one".formatted(found.size(), text));
    }
    return found.get(0);
  }
}
