package dev.rondo.history.job;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.tools.command.CommandException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files of a job: its definition, its state, the requests to it, and the logs of its workers.
 *
 * <pre>
 *   replays/20261125-150000-3f2a/job.json  state.json  policies.yaml  paused  cancelled  worker-1.log
 * </pre>
 */
final class JobFolder {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String JOB = "job.json";

  /** The settings of workers have the passwords of the topology. */
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path dir;

  private JobFolder(Path dir) {
    this.dir = dir;
  }

  /**
   * Makes the folder of a new job, which only this user may enter.
   *
   * @throws FileAlreadyExistsException if there is a job with its id
   */
  static JobFolder create(Path jobs, Job job) throws IOException {
    JobFolder folder = new JobFolder(jobs.resolve(job.id()));
    Files.createDirectories(jobs);
    Files.createDirectory(folder.dir, OWNER_ONLY);
    folder.write(JobState.NEW);
    folder.write(JOB, job);
    return folder;
  }

  /** All jobs, the oldest first. */
  static List<JobFolder> all(Path jobs) throws IOException {
    if (!Files.isDirectory(jobs)) {
      return List.of();
    }
    try (Stream<Path> dirs = Files.list(jobs)) {
      return dirs.filter(dir -> Files.exists(dir.resolve(JOB)))
          .sorted()
          .map(JobFolder::new)
          .toList();
    }
  }

  /**
   * A job.
   *
   * @param id null = the only one that is not over
   */
  static JobFolder find(Path jobs, String id) throws IOException {
    List<JobFolder> all = all(jobs);
    if (id != null) {
      return all.stream()
          .filter(folder -> folder.id().equals(id))
          .findFirst()
          .orElseThrow(
              () -> CommandException.misuse("there is no job '%s' in %s".formatted(id, jobs)));
    }
    var open = new ArrayList<>(all);
    open.removeIf(folder -> folder.state().isOver());
    if (open.size() != 1) {
      throw CommandException.misuse(
          open.isEmpty()
              ? "there is no job in %s that is not over".formatted(jobs)
              : "%d jobs are not over, name one: %s"
                  .formatted(
                      open.size(), String.join(", ", open.stream().map(JobFolder::id).toList())));
    }
    return open.get(0);
  }

  String id() {
    return dir.getFileName().toString();
  }

  Path dir() {
    return dir;
  }

  Job job() {
    return read(JOB, Job.class);
  }

  JobState state() {
    return read("state.json", JobState.class);
  }

  void write(JobState state) {
    write("state.json", state);
  }

  boolean isPaused() {
    return Files.exists(dir.resolve("paused"));
  }

  boolean isCancelled() {
    return Files.exists(dir.resolve("cancelled"));
  }

  void pause(boolean pauses) throws IOException {
    if (pauses) {
      Files.writeString(dir.resolve("paused"), "");
    } else {
      Files.deleteIfExists(dir.resolve("paused"));
    }
  }

  void cancel() throws IOException {
    Files.writeString(dir.resolve("cancelled"), "");
  }

  /** Whether a process runs the job; that process holds the lock until it ends. */
  boolean isRunning() throws IOException {
    try (FileChannel channel = lockFile();
        FileLock lock = channel.tryLock()) {
      return lock == null;
    }
  }

  /** Locks the job for this process; null if another one runs it. */
  FileLock lock() throws IOException {
    return lockFile().tryLock();
  }

  private FileChannel lockFile() throws IOException {
    return FileChannel.open(
        dir.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** Deletes settings and state of the workers; what the job was and their logs stay. */
  void clean() throws IOException {
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        String name = dir.relativize(file).toString();
        if (name.startsWith("state-") || name.endsWith(".properties")) {
          Files.delete(file);
        }
      }
    }
  }

  private <T> T read(String name, Class<T> type) {
    try {
      return JSON.readValue(dir.resolve(name).toFile(), type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String name, Object value) {
    Path next = dir.resolve(name + ".next");
    try {
      JSON.writeValue(next.toFile(), value);
      Files.move(next, dir.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
