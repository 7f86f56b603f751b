package dev.rondo.proof;

import dev.rondo.proof.model.PolicyRule;
import dev.rondo.proof.model.StoredSlots;
import dev.rondo.schemas.PolicyVersion;
import dev.rondo.schemas.Topics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Versions of the policies apply while points flow and instances are killed: policies are renamed,
 * divided and united by patterns, archives are added, taken away and resized. The archives that all
 * versions have do not notice.
 */
@Tag("long")
@Timeout(3600)
class PolicyChangesIT {
  /** Each may move a series, and PostgreSQL keeps the newest 16 periods of one. */
  private static final int MOST_CHANGES = 15;

  private final Settings settings = Settings.current();
  private final Random random = new Random(settings.seed());
  private PolicyRule rule;
  private int version = 1;

  @Test
  void shouldStoreEveryPointExactlyOnceWhilePoliciesChange() throws Exception {
    String name = "policy-changes";
    rule = PolicyRule.withoutWrap(name);
    try (Proof proof =
        Proof.start(rule, settings, Map.of(), jdbcUrl -> StoredSlots.shown(jdbcUrl, name))) {
      List<Proof.Fault> round = new ArrayList<>(InstanceFault.KILLED.times(4, proof));
      round.addAll(InstanceFault.STOPPED.times(1, proof));
      round.addAll(
          Collections.nCopies(
              MOST_CHANGES,
              new Proof.Fault(
                  "policies changed", () -> apply(proof.services().bootstrap(), next()))));
      proof.inject(round);
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }

  /** The policies of the next version. */
  private String next() {
    String name = rule.name();
    List<String> policies = new ArrayList<>();
    if (random.nextBoolean()) {
      policies.add(policy(name + "-some", "^" + name + ".*[0-4]$"));
    }
    policies.add(policy(random.nextBoolean() ? name : name + "-renamed", "^" + name + "\\."));
    return "policies:\n" + String.join("", policies);
  }

  private String policy(String name, String match) {
    List<String> more = new ArrayList<>();
    if (random.nextBoolean()) {
      more.add("\"min:2m:1d\"");
    }
    if (random.nextBoolean()) {
      more.add("\"wmean:30s:1d\"");
    }
    // sizes only grow: of two archives with a slot, the later one is right
    return rule.yaml(name, match, version, more);
  }

  private void apply(String bootstrap, String yaml) throws Exception {
    version++;
    try (Producer<String, PolicyVersion> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap),
            Topics.POLICIES.keySerde().serializer(),
            Topics.POLICIES.valueSerde().serializer())) {
      String key = rule.name() + ":" + version;
      var next = new PolicyVersion(version, System.currentTimeMillis(), rule.name(), yaml);
      producer.send(new ProducerRecord<>(Topics.POLICIES.name(), key, next)).get();
    }
  }
}
