package dev.rondo.local.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Plan;
import dev.rondo.local.settings.PostgresUsers;
import dev.rondo.local.settings.UserError;
import dev.rondo.schemas.TopicNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {
  private static final Plan PLAN =
      new Plan(
          KafkaSettings.plaintext("127.0.0.1:9092"),
          true,
          PostgresUrl.parse("postgresql://rondo@127.0.0.1:5433/rondo"),
          true,
          PostgresUsers.OF_STARTED,
          null,
          Map.of(
              "api",
              8888,
              "connect",
              8083,
              "connect-metrics",
              8084,
              "topology",
              8889,
              "kafka-metrics",
              8085),
          null,
          null,
          TopicNames.of(Map.of()),
          true,
          true,
          List.of("a note"));

  @TempDir Path dir;
  private Home home;
  private final ProcessId own = ProcessId.of(ProcessHandle.current());

  @BeforeEach
  void createHome() {
    home = new Home(dir);
    home.create();
  }

  @Test
  void shouldHaveNoStateAtFirst() {
    assertThat(StateFile.read(home)).isEmpty();
  }

  @Test
  void shouldReadAWrittenState() throws IOException {
    var state = State.starting(PLAN, own);
    state.put("kafka", PartState.now(PartState.RUNNING, own, "127.0.0.1:9092", 2, "kafka.log"));
    state.up();
    StateFile.write(home, state);

    var read = StateFile.read(home).orElseThrow();
    assertThat(read).usingRecursiveComparison().isEqualTo(state);
    assertThat(read.isReadyNow()).isTrue();
    assertThat(Files.getPosixFilePermissions(home.stateFile()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void shouldContainTheFieldsThatProgramsNeed() throws IOException {
    var state = State.starting(PLAN, own);
    state.put("kafka", PartState.now(PartState.RUNNING, own, "127.0.0.1:9092", 0, "kafka.log"));
    state.up();

    var json = new ObjectMapper().readTree(StateFile.toJson(state));
    assertThat(json.get("ready").asBoolean()).isTrue();
    assertThat(json.get("kafka").asText()).isEqualTo("127.0.0.1:9092");
    assertThat(json.get("postgres").asText()).isEqualTo("postgresql://rondo@127.0.0.1:5433/rondo");
    assertThat(json.get("api").asText()).isEqualTo("http://127.0.0.1:8888");
    assertThat(json.at("/parts/kafka/state").asText()).isEqualTo("running");
    assertThat(json.at("/parts/kafka/pid").asLong()).isEqualTo(own.pid());
  }

  @Test
  void shouldNotBeReadyWhileAPartIsDown() {
    var state = State.starting(PLAN, own);
    state.put("api", PartState.now(PartState.RUNNING, own, null, 0, "api.log"));
    state.up();
    assertThat(state.ready).isTrue();

    state.put("api", PartState.now(PartState.DOWN, null, null, 0, "api.log"));
    assertThat(state.ready).isFalse();
    assertThat(state.isReadyNow()).isFalse();
  }

  @Test
  void shouldKeepOnlyPortsWhenEnded() {
    var state = State.starting(PLAN, own);
    state.put("api", PartState.now(PartState.RUNNING, own, null, 0, "api.log"));
    state.ended(State.FAILED, "why");

    assertThat(state.ports).containsEntry("api", 8888);
    assertThat(state.parts).isEmpty();
    assertThat(state.isSupervised()).isFalse();
    assertThat(state.failure).isEqualTo("why");
  }

  @Test
  void shouldReturnEachNoteOnce() {
    var state = State.starting(PLAN, own);
    assertThat(state.notesAfter(0)).containsExactly("a note");
    for (int n = 0; n < 100; n++) {
      state.note("note " + n);
    }
    assertThat(state.notesAfter(100)).containsExactly("note 99");
    assertThat(state.notesAfter(101)).isEmpty();
    assertThat(state.notesAfter(1)).hasSize(20).endsWith("note 99");
  }

  @Test
  void shouldNameTheRemedyForUnreadableFile() throws IOException {
    Files.writeString(home.stateFile(), "{ half");
    assertThatThrownBy(() -> StateFile.read(home))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("rondo.json cannot be read")
        .hasMessageContaining("remove it");
  }
}
