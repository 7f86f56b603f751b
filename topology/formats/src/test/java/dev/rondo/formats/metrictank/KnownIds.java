package dev.rondo.formats.metrictank;

import dev.rondo.formats.Definitions;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Definitions on the heap. */
final class KnownIds implements Definitions {
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

  int size() {
    return byId.size();
  }
}
