package dev.rondo.history.whisper;

import dev.rondo.tools.command.CommandException;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** Lists the Whisper files of carbon's storage folder; links are followed. */
final class WhisperTree {
  private WhisperTree() {}

  /** Refuses what is not a folder. */
  static void check(Path dir) {
    if (!Files.isDirectory(dir)) {
      throw CommandException.misuse("there is no folder %s (DIR)".formatted(dir));
    }
  }

  /** Paths of all files below {@code dir}, relative to it, with {@code /}, in order. */
  static List<String> files(Path dir, ImportReport report) throws IOException {
    List<String> files = new ArrayList<>();
    Files.walkFileTree(
        dir,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        Integer.MAX_VALUE,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()
                && file.getFileName().toString().endsWith(GraphitePath.SUFFIX)) {
              files.add(relative(dir, file));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure) {
            report.leftOut(relative(dir, file), String.valueOf(failure));
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return files;
  }

  private static String relative(Path dir, Path file) {
    return dir.relativize(file).toString().replace(File.separatorChar, '/');
  }
}
