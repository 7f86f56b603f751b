package dev.rondo.tools.deadletters.resend;

/** Reason for which a dead letter is not resent. */
enum NotSent {
  SENT_BEFORE("sent before (--again sends them once more)"),
  CAME_BACK(
      "sent "
          + NotSent.MAX_SENDS
          + " times and came back each time (--again sends them once more)"),
  CUT("cut, because their bytes were too long to be kept"),
  EMPTY("without bytes"),
  SAME_BYTES("with the bytes of another one of the same record, which is sent"),
  SUPERSEDED("of a series with a newer entry"),
  NO_TOPIC("from a topic that no longer exists (--to names another one)"),
  REFUSED("refused by Kafka");

  /** Maximum number of times that the same bytes are resent. */
  static final int MAX_SENDS = 3;

  private final String text;

  NotSent(String text) {
    this.text = text;
  }

  /** Text to follow a number of dead letters. */
  String text() {
    return text;
  }
}
