package dev.rondo.chaos;

/** A part that runs, is killed, and is started again by whoever owns it. */
interface Victim {
  /** Whether it runs and has answered since its last start. */
  boolean isReady();

  /** SIGKILL to it and to its children; returns when they are gone. */
  void kill();

  /** How often it was started again, for whatever reason. */
  int restarts();
}
