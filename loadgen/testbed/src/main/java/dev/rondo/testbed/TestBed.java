package dev.rondo.testbed;

import dev.rondo.embedded.KafkaBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A broker and a PostgreSQL that tests share. {@code ./rondo test} starts one bed for all JVMs of a
 * run and names its file in the environment; elsewhere each JVM starts the servers that it needs.
 * Only tests about starting, killing, securing or upgrading a server start their own.
 */
public final class TestBed {
  /** Environment variable with the path of the file that {@link Main} writes. */
  static final String FILE_VARIABLE = "RONDO_TESTBED";

  private static String bootstrap;
  private static SharedPostgres postgres;

  private TestBed() {}

  /** HOST:PORT of the shared broker; its topics and groups have names that no other test uses. */
  public static synchronized String bootstrap() {
    if (bootstrap == null) {
      BedFile file = BedFile.ofThisRun();
      bootstrap =
          file == null ? KafkaBroker.start(folder("kafka-"), 0).bootstrap() : file.bootstrap();
    }
    return bootstrap;
  }

  /** Names on the shared broker for one test class, which are removed after it. */
  public static KafkaSpace kafka() {
    var space = new KafkaSpace(bootstrap(), unique("t"));
    ClassResources.add(space);
    return space;
  }

  /** A database with Rondo's tables for one test class, which is removed after it. */
  public static Database database() {
    Database database = postgres().copyOfTemplate(unique("t"));
    ClassResources.add(database);
    return database;
  }

  /** A database for all tests of this JVM, with Rondo's tables; it ends with the server. */
  public static Database lastingDatabase() {
    return postgres().copyOfTemplate(unique("j"));
  }

  /** An empty database for one test class, which is removed after it. */
  public static Database emptyDatabase() {
    Database database = postgres().empty(unique("t"));
    ClassResources.add(database);
    return database;
  }

  /** A name that no other test of this machine has: a letter and eight hexadecimal digits. */
  public static String unique(String letter) {
    return letter + UUID.randomUUID().toString().substring(0, 8);
  }

  /** A new folder below {@code target/it} of the current module. */
  public static Path folder(String prefix) {
    try {
      Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
      return Files.createTempDirectory(parent, prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static synchronized SharedPostgres postgres() {
    if (postgres == null) {
      BedFile file = BedFile.ofThisRun();
      if (file == null) {
        postgres = SharedPostgres.start(folder("postgres-"));
      } else {
        postgres = new SharedPostgres(file.postgresPort());
      }
    }
    return postgres;
  }
}
