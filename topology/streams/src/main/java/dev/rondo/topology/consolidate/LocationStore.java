package dev.rondo.topology.consolidate;

import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.state.HeldBytes;
import dev.rondo.topology.state.WriteBackStore;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The locations of the series of a task, by ident. They are written when they change; the {@link
 * SeriesIndex} has them as objects.
 */
final class LocationStore extends WriteBackStore {
  /** Passes on the locations that were taken; null if none were. */
  private Consumer<Consumer<SeriesEntry>> taken;

  LocationStore(KeyValueStore<Bytes, byte[]> inner, HeldBytes held) {
    super(inner, held);
  }

  /**
   * Reads all locations after the changelog was restored.
   *
   * @param take whether the index has a location from now on
   * @param all passes on the locations that the index has
   */
  void load(Predicate<SeriesEntry> take, Consumer<Consumer<SeriesEntry>> all) {
    clearCache(); // a task that was suspended has them still
    loadOthers(take);
    taken = all;
  }

  /** Reads the locations that were not taken before. */
  void loadOthers(Predicate<SeriesEntry> take) {
    take((ident, bytes) -> take.test(read(bytes)));
  }

  /** The index no longer has a location, which stays. */
  void release(SeriesEntry entry) {
    keep(key(entry.getIdent()), write(entry));
  }

  /** Deletes a location that was released, and returns it; null if there is none. */
  SeriesEntry deleteReleased(String ident) {
    byte[] held = inner().get(key(ident));
    if (held == null) {
      return null;
    }
    delete(ident);
    return read(held);
  }

  void put(SeriesEntry entry) {
    inner().put(key(entry.getIdent()), write(entry));
  }

  void delete(String ident) {
    inner().delete(key(ident));
  }

  @Override
  protected void writeBack(KeyValueStore<Bytes, byte[]> inner) {}

  @Override
  protected void giveBack(KeyValueStore<Bytes, byte[]> held) {
    if (taken != null) {
      taken.accept(entry -> held.put(key(entry.getIdent()), write(entry)));
    }
  }

  @Override
  protected void forget() {
    taken = null;
  }

  private static Bytes key(String ident) {
    return Bytes.wrap(ident.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] write(SeriesEntry entry) {
    return Topics.SERIES.valueSerde().serializer().serialize(Topics.SERIES.name(), entry);
  }

  private static SeriesEntry read(byte[] bytes) {
    return Topics.SERIES.valueSerde().deserializer().deserialize(Topics.SERIES.name(), bytes);
  }
}
