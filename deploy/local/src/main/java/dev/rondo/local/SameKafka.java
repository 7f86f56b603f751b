package dev.rondo.local;

import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Plan;
import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.State;

/**
 * Checks that a data folder keeps its Kafka, whose topics hold the locations of series. In another
 * Kafka, locations would be assigned again to other series, which would overwrite the history in
 * PostgreSQL.
 */
final class SameKafka {
  private SameKafka() {}

  /**
   * @param last state of the last start
   * @param given {@code --kafka}; null for its own broker
   * @throws UserError if the folder has its own broker and another is given, or the reverse
   */
  static void check(Home home, State last, String given) {
    if (last.prefix == null) {
      return; // the first start
    }
    boolean hasOwn = last.ports.containsKey(Plan.KAFKA);
    if (given == null && !hasOwn) {
      throw new UserError(
          "%s holds the Rondo of the Kafka at %s: start it with --kafka=%s%s, or one with its own broker in another folder (--dir)"
              .formatted(
                  home.dir(),
                  last.kafka,
                  last.kafka,
                  last.kafkaConfig == null ? "" : " --kafka-config=" + last.kafkaConfig));
    }
    if (given != null && hasOwn) {
      throw new UserError(
          "%s holds a Rondo with its own broker; start one with --kafka=%s in another folder (--dir), or remove this one (./rondo down --wipe)"
              .formatted(home.dir(), given));
    }
  }
}
