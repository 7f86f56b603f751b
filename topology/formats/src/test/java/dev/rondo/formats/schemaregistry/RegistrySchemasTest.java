package dev.rondo.formats.schemaregistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
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
  void shouldCacheASchemaWithItsReferences() throws Exception {
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
  void shouldNotWaitLongerThanTheTimeoutAndUseTheLateResponse() throws Exception {
    server.put("/schemas/ids/5", "AVRO", "five").hold();
    Schemas schemas =
        new RegistrySchemas(
            new HttpLookup(server.registry(LONG, LONG)), SHORT, Duration.ofSeconds(1));
    assertUnknown(schemas, FIVE, "schema 5: the registry has not answered within ");
    server.resume();
    org.awaitility.Awaitility.await().ignoreExceptions().until(() -> schemas.get(FIVE) != null);
    assertThat(server.requests).hasSize(1);
  }

  /** Ids that the registry does not answer for do not block another topic. */
  @Test
  void shouldFindASchemaOfATopicWhileAnotherTopicAsksForManyIds() throws Exception {
    server.put("/schemas/ids/5", "AVRO", "five").holdUnknown();
    Schemas schemas = new RegistrySchemas(new HttpLookup(server.registry(LONG, LONG)), SHORT, LONG);
    for (int id = 100; id < 200; id++) {
      assertUnknown(schemas.ofTopic("many"), SchemaId.of(id), "schema " + id);
    }
    // the wait is short, so the first response can be late
    org.awaitility.Awaitility.await()
        .ignoreExceptions()
        .until(() -> schemas.ofTopic("few").get(FIVE) != null);
  }

  @Test
  void shouldKeepTheSchemasOfATopicWhileAnotherUsesMoreThanAreKept() throws Exception {
    RegistrySchemas schemas = new RegistrySchemas(new AnySchema(), LONG, LONG);
    schemas.ofTopic("few").get(FIVE);
    for (int id = 100; id < 100 + KnownSchemas.MAX; id++) {
      schemas.ofTopic("many").get(SchemaId.of(id));
    }
    schemas.ofTopic("few").get(SchemaId.of(6));
    long found = schemas.lookups(LookupOutcome.FOUND);
    schemas.ofTopic("few").get(FIVE);
    schemas.ofTopic("few").get(SchemaId.of(6));
    schemas.ofTopic("many").get(SchemaId.of(99 + KnownSchemas.MAX));
    assertThat(schemas.lookups(LookupOutcome.FOUND)).as("all are known").isEqualTo(found);
    schemas.ofTopic("many").get(SchemaId.of(100));
    assertThat(schemas.lookups(LookupOutcome.FOUND)).as("the oldest is not").isEqualTo(found + 1);
  }

  /** A registry that has a schema for each id. */
  private static final class AnySchema implements SchemaLookup {
    @Override
    public String registry() {
      return "any";
    }

    @Override
    public Schema read(SchemaId id) {
      return new Schema(id.toString(), "AVRO", "\"double\"", List.of());
    }
  }

  @Test
  void shouldRememberTheFailureOfATopicWhileAnotherAsksForManyIds() {
    FailedLookups failures = new FailedLookups(LONG.toNanos());
    failures.add("few", FIVE, "404");
    for (int id = 0; id <= FailedLookups.MAX; id++) {
      failures.add("many", SchemaId.of(id), "404");
    }
    assertThat(failures.message("few", FIVE)).isEqualTo("404");
    assertThat(failures.message("many", SchemaId.of(0))).as("the oldest").isNull();
    assertThat(failures.message("many", SchemaId.of(FailedLookups.MAX))).isEqualTo("404");
  }

  @Test
  void shouldBoundTheSumOfWaits() {
    WaitBudget budget = new WaitBudget(300);
    long now = System.nanoTime();
    assertThat(waits(budget, "a", now)).as("two thirds of ten timeouts").isBetween(1_990L, 2_000L);
    assertThat(waits(budget, "b", now)).as("of the rest").isBetween(660L, 667L);
    assertThat(waits(budget, "c", now)).isBetween(215L, 223L);
    assertThat(waits(budget, "a", now + 900)).as("has more than its part").isZero();
    assertThat(waits(budget, "c", now + 900)).as("of the refill").isBetween(60L, 75L);
    assertThat(waits(budget, "a", now + 90_000)).as("all is refilled").isBetween(1_990L, 2_000L);
  }

  /** The total wait of a topic, ns. */
  private static long waits(WaitBudget budget, String topic, long now) {
    return LongStream.generate(() -> budget.take(topic, 300, now))
        .takeWhile(taken -> taken > 0)
        .sum();
  }

  @Test
  void shouldReuseRefundedTime() {
    WaitBudget budget = new WaitBudget(300);
    long now = System.nanoTime();
    long all = waits(budget, "a", now);
    budget.refund("a", all);
    assertThat(waits(budget, "a", now)).isEqualTo(all);
  }

  @Test
  void shouldRejectMoreLookupsThanThreads() {
    server.hold();
    Schemas schemas = new RegistrySchemas(new HttpLookup(server.registry(LONG, LONG)), SHORT, LONG);
    for (int id = 0; id < 4; id++) {
      assertUnknown(schemas, SchemaId.of(id), "has not answered within");
    }
    assertUnknown(schemas, SchemaId.of(4), "4 other lookups of the registry are running");
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
  void shouldReportWhyAResponseIsInvalid() {
    server.put("/schemas/ids/5", "AVRO", "five", "a a 1");
    assertUnknown(server.registry(LONG, LONG).schemas(), FIVE, "404 to GET /subjects/a/versions/1");
  }
}
