package dev.rondo.local;

import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Plan;
import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.State;

/**
 * A data folder keeps its Kafka: the positions of the series are in the topics there. In another
 * Kafka they would be given again, to other series, over the history in PostgreSQL.
 */
final class SameKafka {
  private SameKafka() {}

  /**
   * @param last state of the last start
   * @param given {@code --kafka}; null for a broker of its own
   * @throws UserError if the folder has a broker of its own and another is given, or the reverse
   */
  static void check(Home home, State last, String given) {
    if (last.prefix == null) {
      return; // the first start
    }
    boolean hasOwn = last.ports.containsKey(Plan.KAFKA);
    if (given == null && !hasOwn) {
      throw new UserError(
          "%s holds the Rondo of the Kafka at %s: start it with --kafka=%s%s, or one with a broker of its own in another folder (--dir)"
              .formatted(
                  home.dir(),
                  last.kafka,
                  last.kafka,
                  last.kafkaConfig == null ? "" : " --kafka-config=" + last.kafkaConfig));
    }
    if (given != null && hasOwn) {
      throw new UserError(
          "%s holds a Rondo with a broker of its own; start one with --kafka=%s in another folder (--dir), or remove this one (./rondo down --wipe)"
              .formatted(home.dir(), given));
    }
  }
}
