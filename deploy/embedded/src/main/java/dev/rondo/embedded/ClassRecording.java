package dev.rondo.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Records the classes of a child JVM without an archive. Some seconds after the child is ready, an
 * archive is written for the next start; archives are written one at a time.
 */
final class ClassRecording {
  private static final ScheduledExecutorService WRITER =
      Executors.newSingleThreadScheduledExecutor(ClassRecording::daemon);

  private final ClassArchives archives;
  private final String mainClass;
  private final String classPath;
  private final Path classes;

  private ClassRecording(ClassArchives archives, String mainClass, String classPath, Path classes) {
    this.archives = archives;
    this.mainClass = mainClass;
    this.classPath = classPath;
    this.classes = classes;
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(work, "class-archives");
    thread.setDaemon(true);
    return thread;
  }

  /** Creates a recording for a command of {@link JavaCommand} without an archive. */
  static Optional<ClassRecording> of(Optional<ClassArchives> archives, List<String> command) {
    int classPath = command.indexOf("-cp") + 1;
    boolean isArchived =
        command.stream().anyMatch(each -> each.startsWith("-XX:SharedArchiveFile="));
    if (archives.isEmpty() || classPath == 0 || classPath + 1 >= command.size() || isArchived) {
      return Optional.empty();
    }
    String mainClass = command.get(classPath + 1);
    try {
      Path classes = archives.get().newClassList(mainClass);
      return Optional.of(
          new ClassRecording(archives.get(), mainClass, command.get(classPath), classes));
    } catch (IOException e) {
      return Optional.empty(); // a folder that cannot be written has no archives
    }
  }

  List<String> command(List<String> command) {
    var recording = new ArrayList<>(command);
    recording.add(command.indexOf("-cp"), "-XX:DumpLoadedClassList=" + classes);
    return recording;
  }

  /** Writes the archive after a delay, in the background, if the child still runs then. */
  void finish(Duration delay, ProcessHandle child) {
    Runnable write =
        () -> {
          if (child.isAlive()) {
            write();
          }
        };
    var unused = WRITER.schedule(write, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void write() {
    try {
      archives
          .write(mainClass, classPath, classes)
          .ifPresent(writing -> writing.onExit().join()); // one at a time
    } catch (IOException e) {
      return; // such as a full disk: the next start tries again
    }
  }

  /** Deletes the names, after the end of the child. */
  void delete() {
    try {
      Files.deleteIfExists(classes);
    } catch (IOException e) {
      return; // a later archive deletes it
    }
  }
}
