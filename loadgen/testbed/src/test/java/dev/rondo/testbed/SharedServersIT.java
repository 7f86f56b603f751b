package dev.rondo.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedServersIT {
  @TempDir Path dir;

  @Test
  void shouldGiveEachADatabaseOfItsOwnWithTheTables() throws Exception {
    Database one = TestBed.database();
    Database other = TestBed.database();
    one.execute(
        "insert into ds (ident, policy, seg, pos, starts_at) values ('{}', 'p', 0, 1, now())");
    assertThat(rows(one)).isEqualTo(1);
    assertThat(rows(other)).isZero();
    one.close();
    assertThatThrownBy(one::connect).hasMessageContaining(one.name());
    assertThat(rows(other)).isZero();
    assertThat(TestBed.emptyDatabase().name()).isNotEqualTo(other.name());
  }

  @Test
  void shouldRemoveTopicsOfOneSpaceOnly() throws Exception {
    KafkaSpace one = TestBed.kafka();
    KafkaSpace other = TestBed.kafka();
    try (Admin admin = Admin.create(one.client())) {
      NewTopics.create(
          admin,
          List.of(
              new NewTopic(one.topic("points"), 1, (short) 1),
              new NewTopic(one.prefix() + "-by-series-repartition", 1, (short) 1),
              new NewTopic(other.topic("points"), 1, (short) 1)));
      one.close();
      await()
          .until(
              () -> admin.listTopics().names().get(),
              names -> names.stream().noneMatch(name -> name.startsWith(one.prefix())));
      assertThat(admin.listTopics().names().get()).contains(other.topic("points"));
    }
  }

  @Test
  void shouldFindTheServersOfTheWholeRun() throws Exception {
    var written = new BedFile("127.0.0.1:9092", 5432, dir);
    Path file = dir.resolve("testbed.properties");
    written.write(file);
    assertThat(BedFile.read(file)).isEqualTo(written);
  }

  @Test
  void shouldShowTheEndOfALog() throws Exception {
    Path log = dir.resolve("a.log");
    Files.writeString(log, "line %d%n".repeat(60).formatted(numbers(60)));
    assertThat(Parts.lastLines(log)).startsWith("line 10\n").endsWith("line 59");
    assertThat(Parts.lastLines(dir.resolve("none"))).contains("could not be read");
  }

  private static Object[] numbers(int count) {
    var numbers = new Object[count];
    Arrays.setAll(numbers, n -> n);
    return numbers;
  }

  private static long rows(Database database) throws SQLException {
    try (var connection = database.connect();
        var statement = connection.createStatement();
        var result = statement.executeQuery("select count(*) from ds")) {
      result.next();
      return result.getLong(1);
    }
  }
}
