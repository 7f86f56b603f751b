package dev.rondo.tools.deadletters;

/** Why a letter is not sent again. */
enum NotSent {
  SENT_BEFORE("sent before (--again sends them once more)"),
  CAME_BACK("sent " + NotSent.MOST + " times and always came back (--again sends them once more)"),
  CUT("too long: their bytes are cut"),
  EMPTY("without any bytes"),
  OF_SAME_BYTES("the very bytes of another one of the same record, which is sent"),
  SUPERSEDED("of a series that has a newer entry"),
  NO_TOPIC("from a topic that is no more (--to names another one)"),
  REFUSED("refused by Kafka");

  /** How often bytes are sent again before they are left alone. */
  static final int MOST = 3;

  private final String text;

  NotSent(String text) {
    this.text = text;
  }

  /** To be read after a number and {@code letters}. */
  String text() {
    return text;
  }
}
