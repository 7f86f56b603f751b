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
 * Locations of the series of a task, by ident, written when they change. {@link SeriesIndex} holds
 * them as objects.
 */
final class LocationStore extends WriteBackStore {
  /** Passes all locations that the index holds to a consumer; null before {@link #load}. */
  private Consumer<Consumer<SeriesEntry>> taken;

  LocationStore(KeyValueStore<Bytes, byte[]> inner, HeldBytes held) {
    super(inner, held);
  }

  /**
   * Reads all locations after the changelog has been restored.
   *
   * @param take adds a location to the index; returns false if it is not added
   * @param all passes all locations that the index holds to a consumer
   */
  void load(Predicate<SeriesEntry> take, Consumer<Consumer<SeriesEntry>> all) {
    clearCache(); // a suspended task still has them
    loadOthers(take);
    taken = all;
  }

  /** Reads the locations that the index does not hold yet. */
  void loadOthers(Predicate<SeriesEntry> take) {
    take((ident, bytes) -> take.test(read(bytes)));
  }

  /** Keeps a location that the index no longer holds. */
  void release(SeriesEntry entry) {
    keep(key(entry.getIdent()), write(entry));
  }

  /** Deletes a released location and returns it; null if there is none. */
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
