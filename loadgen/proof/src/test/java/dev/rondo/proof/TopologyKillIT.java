package dev.rondo.proof;

import dev.rondo.proof.parts.Instance;
import dev.rondo.proof.parts.Settings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Instances of the topology are killed, stopped, frozen and added under load. */
@Timeout(3600)
class TopologyKillIT {
  private static final int RESTARTS = 6;
  private static final int ABSENCES = 3;

  @Test
  void shouldStoreEveryPointExactlyOnceWhileInstancesAreKilled() throws Exception {
    Settings settings = Settings.current();
    try (Proof proof = Proof.start("topology-kill", settings, Map.of())) {
      for (int round = 0; round < settings.rounds(); round++) {
        List<Step> steps = new ArrayList<>();
        steps.addAll(Collections.nCopies(RESTARTS, Step.KILLED_AND_STARTED));
        steps.addAll(Collections.nCopies(ABSENCES, Step.KILLED_AND_AWAY));
        steps.addAll(List.of(Step.STOPPED_AND_STARTED, Step.HUNG, Step.THIRD));
        Collections.shuffle(steps, proof.random());
        for (Step step : steps) {
          proof.event(step.text, () -> step.happen(proof));
        }
      }
      proof.shouldStoreEveryPointExactlyOnce();
    }
  }

  private enum Step {
    KILLED_AND_STARTED("an instance killed and restarted at once") {
      @Override
      void happen(Proof proof) {
        Instance instance = proof.any();
        instance.kill();
        instance.start();
      }
    },
    KILLED_AND_AWAY("an instance killed and away until the other has its partitions") {
      @Override
      void happen(Proof proof) throws Exception {
        Instance instance = proof.any();
        instance.kill();
        proof.awaitTheOthers();
        instance.start();
      }
    },
    STOPPED_AND_STARTED("an instance stopped and started") {
      @Override
      void happen(Proof proof) {
        Instance instance = proof.any();
        instance.stop();
        instance.start();
      }
    },
    HUNG("an instance hung until the other had its partitions") {
      @Override
      void happen(Proof proof) throws Exception {
        Instance instance = proof.any();
        proof.instances().awaitMembers(proof.running().size());
        instance.pause();
        proof.awaitTheOthers();
        instance.goOn();
      }
    },
    THIRD("a third instance joined and was killed") {
      @Override
      void happen(Proof proof) throws Exception {
        Instance third = proof.instances().add();
        third.awaitRunning();
        proof.instances().awaitCaughtUp();
        third.kill();
      }
    };

    private final String text;

    Step(String text) {
      this.text = text;
    }

    abstract void happen(Proof proof) throws Exception;
  }
}
