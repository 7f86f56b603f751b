package dev.rondo.tools.check.record;

import dev.rondo.formats.Definitions;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Definitions of ids from the sampled records of one partition. */
public final class SeenDefinitions implements Definitions {
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
