package dev.rondo.local;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Plan;
import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.State;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SameKafkaTest {
  private static final Home HOME = new Home(Path.of("/var/lib/rondo"));

  @Test
  void shouldAcceptAnyKafkaAtTheFirstStart() {
    assertThatCode(() -> SameKafka.check(HOME, new State(), null)).doesNotThrowAnyException();
    assertThatCode(() -> SameKafka.check(HOME, new State(), "broker1:9092"))
        .doesNotThrowAnyException();
  }

  @Test
  void shouldRejectItsOwnBrokerInTheFolderOfAnotherKafka() {
    State last = started("broker1:9092");
    last.kafkaConfig = "/etc/rondo/kafka.properties";
    assertThatThrownBy(() -> SameKafka.check(HOME, last, null))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("/var/lib/rondo holds the Rondo of the Kafka at broker1:9092")
        .hasMessageContaining(
            "--kafka=broker1:9092 --kafka-config=/etc/rondo/kafka.properties, or");
    assertThatCode(() -> SameKafka.check(HOME, last, "broker2:9092")).doesNotThrowAnyException();
  }

  @Test
  void shouldRejectAnotherKafkaInTheFolderWithItsOwnBroker() {
    State last = started("127.0.0.1:9092");
    last.ports.put(Plan.KAFKA, 9092);
    assertThatThrownBy(() -> SameKafka.check(HOME, last, "broker1:9092"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("its own broker; start one with --kafka=broker1:9092");
    assertThatCode(() -> SameKafka.check(HOME, last, null)).doesNotThrowAnyException();
  }

  private static State started(String kafka) {
    var last = new State();
    last.prefix = "rondo";
    last.kafka = kafka;
    return last;
  }
}
