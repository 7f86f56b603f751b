package dev.rondo.topology.consolidate;

import dev.rondo.topology.state.HeldBytes;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** The compacted changelog of a store. */
final class Changelog {
  private final String name;
  private final Map<Bytes, byte[]> entries = new HashMap<>();

  Changelog(String name) {
    this.name = name;
  }

  Changelog copy() {
    Changelog copy = new Changelog(name);
    copy.entries.putAll(entries);
    return copy;
  }

  /** New bytes, with all that was logged. The store has been opened. */
  HeldBytes restore() {
    HeldBytes held = new HeldBytes(name);
    held.init(OneTask.stateStoreContext(), held);
    entries.forEach(held::put);
    return held;
  }

  /** Logs what is written to a store, as the one of Streams does that is named so. */
  @SuppressWarnings("unchecked")
  KeyValueStore<Bytes, byte[]> logging(HeldBytes held) {
    return (KeyValueStore<Bytes, byte[]>)
        Proxy.newProxyInstance(
            Changelog.class.getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("put")) {
                log((Bytes) arguments[0], (byte[]) arguments[1]);
              } else if (method.getName().equals("delete")) {
                log((Bytes) arguments[0], null);
              }
              try {
                return method.invoke(held, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void log(Bytes key, byte[] value) {
    if (value == null) {
      entries.remove(key);
    } else {
      entries.put(key, value);
    }
  }
}
