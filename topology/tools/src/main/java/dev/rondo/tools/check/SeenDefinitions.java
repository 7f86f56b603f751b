package dev.rondo.tools.check;

import dev.rondo.formats.Definitions;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** What the records of a partition that are looked at emit of ids. */
final class SeenDefinitions implements Definitions {
  private final Map<ByteBuffer, String> byId = new HashMap<>();

  @Override
  public String get(byte[] id) {
    return byId.get(ByteBuffer.wrap(id));
  }

  @Override
  public void put(byte[] id, String definition) {
    byId.put(ByteBuffer.wrap(id.clone()), definition);
  }

  @Override
  public boolean areKept() {
    return true;
  }
}
