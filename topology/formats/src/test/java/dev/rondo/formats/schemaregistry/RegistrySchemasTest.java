package dev.rondo.formats.schemaregistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A registry that is slow, wrong and dead. */
class RegistrySchemasTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final SchemaId FIVE = SchemaId.of(5);

  private final RegistryServer server = RegistryServer.start(0);

  @AfterEach
  void stop() {
    server.close();
  }

  private static void assertUnknown(Schemas schemas, SchemaId id, String detail) {
    assertThatThrownBy(() -> schemas.get(id))
        .isInstanceOfSatisfying(
            DroppedException.class,
            e -> assertThat(e.reason()).isEqualTo(DropReason.UNKNOWN_SCHEMA))
        .hasMessageContaining(detail);
  }

  private static void assertLookups(Schemas schemas, long... byOutcome) {
    assertThat(
            Stream.of(LookupOutcome.values())
                .mapToLong(outcome -> ((RegistrySchemas) schemas).lookups(outcome)))
        .containsExactly(Arrays.stream(byOutcome).boxed().toArray(Long[]::new));
  }

  @Test
  void shouldKeepASchemaForGoodWithAllThatItRefersTo() throws Exception {
    server
        .put("/schemas/ids/5", "PROTOBUF", "five", "a.proto a 1", "b.proto b/c 2")
        .put("/subjects/a/versions/1", "PROTOBUF", "text a", "b.proto b/c 2")
        .put("/subjects/b/c/versions/2", "PROTOBUF", "text b");
    Schemas schemas = server.registry(LONG, LONG).schemas();
    Schema five = schemas.get(FIVE);
    assertThat(five.text()).isEqualTo("five");
    assertThat(five.references())
        .containsExactly(
            new Schema.Reference("b.proto", "text b"), new Schema.Reference("a.proto", "text a"));
    assertThat(server.requests)
        .containsExactly("/schemas/ids/5", "/subjects/a/versions/1", "/subjects/b%2Fc/versions/2");
    server.close();
    assertThat(schemas.get(FIVE)).isEqualTo(five);
    assertUnknown(schemas, SchemaId.of(6), "schema 6: " + server.url() + ": cannot be reached");
    assertThat(((RegistrySchemas) schemas).registry()).isEqualTo(server.url());
    assertLookups(schemas, 1, 0, 1, 0);
  }

  @Test
  void shouldNotRepeatAFailedLookupForAWhile() throws Exception {
    Schemas schemas = server.registry(LONG, LONG).schemas();
    assertUnknown(schemas, FIVE, "answers 404 to GET /schemas/ids/5");
    server.put("/schemas/ids/5", "AVRO", "five");
    assertUnknown(schemas, FIVE, "answers 404 to GET /schemas/ids/5");
    assertThat(server.requests).hasSize(1);
    assertLookups(schemas, 0, 1, 0, 0);
    Schemas impatient = server.registry(LONG, Duration.ZERO).schemas();
    assertThat(impatient.get(FIVE).text()).isEqualTo("five");
  }

  @Test
  void shouldNotWaitLongerThanTheTimeoutAndUseTheLateAnswer() throws Exception {
    server.put("/schemas/ids/5", "AVRO", "five").hold();
    Schemas schemas =
        new RegistrySchemas(
            new HttpLookup(server.registry(LONG, LONG)), SHORT, Duration.ofSeconds(1));
    assertUnknown(schemas, FIVE, "schema 5: the registry has not answered within ");
    server.goOn();
    org.awaitility.Awaitility.await().ignoreExceptions().until(() -> schemas.get(FIVE) != null);
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void shouldBoundTheSumOfWaits() {
    WaitBudget budget = new WaitBudget(100);
    long now = System.nanoTime();
    for (int n = 0; n < 10; n++) {
      assertThat(budget.take(100, now)).isEqualTo(100);
    }
    assertThat(budget.take(100, now)).isZero();
    assertThat(budget.take(100, now + 500)).isEqualTo(50);
    budget.giveBack(20);
    assertThat(budget.take(100, now + 500)).isEqualTo(20);
  }

  @Test
  void shouldNotWaitForMoreLookupsThanItHasThreads() {
    server.hold();
    Schemas schemas = new RegistrySchemas(new HttpLookup(server.registry(LONG, LONG)), SHORT, LONG);
    for (int id = 0; id < 4; id++) {
      assertUnknown(schemas, SchemaId.of(id), "has not answered within");
    }
    assertUnknown(schemas, SchemaId.of(4), "4 other lookups wait for the registry already");
    assertLookups(schemas, 0, 0, 0, 1);
  }

  @Test
  void shouldSendTheAuthorizationAndNeverShowIt() throws Exception {
    server.put("/schemas/ids/5", "AVRO", "five");
    var registry =
        new Registry(
            URI.create(server.url()),
            Optional.empty(),
            Optional.of(() -> "Bearer geheim"),
            LONG,
            LONG);
    registry.schemas().get(FIVE);
    assertThat(server.requests).containsExactly("/schemas/ids/5 Bearer geheim");
    assertThat(registry.toString()).doesNotContain("geheim");
  }

  @Test
  void shouldSayWhatIsWrongWithAnAnswer() {
    server.put("/schemas/ids/5", "AVRO", "five", "a a 1");
    assertUnknown(server.registry(LONG, LONG).schemas(), FIVE, "404 to GET /subjects/a/versions/1");
  }
}
