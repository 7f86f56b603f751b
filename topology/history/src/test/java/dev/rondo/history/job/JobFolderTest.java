package dev.rondo.history.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.rows.WriteMode;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFolderTest {
  @TempDir Path dir;

  private static Job job(String id, String topic) {
    List<Job.Range> parts = List.of(new Job.Range(topic, 0, 0, 1));
    return new Job(id, parts, Map.of(), 0, 1, 0, WriteMode.FILL, List.of(), 0, 1, List.of());
  }

  @Test
  void shouldNotReplaceAnotherJob() throws Exception {
    JobFolder first = JobFolder.create(dir.resolve("jobs"), job("1", "a"));
    assertThatThrownBy(() -> JobFolder.create(dir.resolve("jobs"), job("1", "b")))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(first.job().topics()).containsExactly("a");
  }

  /** The settings of workers have passwords of Kafka. */
  @Test
  void shouldKeepSettingsOfWorkersFromOtherUsers() throws Exception {
    JobFolder folder = JobFolder.create(dir.resolve("jobs"), job("1", "a"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.dir())))
        .isEqualTo("rwx------");
    Path settings = Files.writeString(folder.dir().resolve("worker-1.properties"), "sasl=secret");
    folder.clean();
    assertThat(settings).doesNotExist();
    assertThat(folder.job().topics()).containsExactly("a");
  }

  @Test
  void shouldDistinguishJobsOfOneSecond() {
    Instant now = Instant.parse("2026-11-25T15:00:00Z");
    assertThat(Stream.generate(() -> JobId.next(now)).limit(10).distinct().count())
        .isGreaterThan(1);
    assertThat(JobId.next(now)).matches("20261125-150000-[0-9a-f]{4}");
  }
}
