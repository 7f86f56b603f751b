package dev.rondo.proof;

import dev.rondo.harness.parts.Instance;
import java.util.Collections;
import java.util.List;

/** What can happen to the instances of a {@link Proof}. */
enum InstanceFault {
  KILLED("an instance killed and restarted at once") {
    @Override
    void inject(Proof proof) {
      Instance instance = proof.any();
      instance.kill();
      instance.start();
    }
  },
  AWAY("an instance killed and away until the other has its partitions") {
    @Override
    void inject(Proof proof) throws Exception {
      Instance instance = proof.any();
      instance.kill();
      proof.awaitTheOthers();
      instance.start();
    }
  },
  STOPPED("an instance stopped and started") {
    @Override
    void inject(Proof proof) {
      Instance instance = proof.any();
      instance.stop();
      instance.start();
    }
  },
  FROZEN("an instance frozen until the other has its partitions") {
    @Override
    void inject(Proof proof) throws Exception {
      Instance instance = proof.any();
      proof.instances().awaitMembers(proof.running().size());
      instance.freeze();
      proof.awaitTheOthers();
      instance.resume();
    }
  },
  JOINED("a third instance joined and was killed") {
    @Override
    void inject(Proof proof) throws Exception {
      Instance third = proof.instances().add();
      third.awaitRunning();
      proof.instances().awaitCaughtUp();
      third.kill();
    }
  };

  private final String text;

  InstanceFault(String text) {
    this.text = text;
  }

  abstract void inject(Proof proof) throws Exception;

  /** This fault {@code count} times. */
  List<Proof.Fault> times(int count, Proof proof) {
    return Collections.nCopies(count, new Proof.Fault(text, () -> inject(proof)));
  }
}
