package dev.rondo.schemas;

import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Serde of the values of the by-series topic: {@link Points} or a {@link SeriesRequest},
 * distinguished by the fingerprint of their schema. Thread-safe.
 */
final class BySeriesSerde implements Serde<SpecificRecord> {
  private static final byte[] REQUEST_HEADER = SingleObject.header(SeriesRequest.getClassSchema());

  private final Serde<SeriesRequest> requests =
      AvroSerde.of("SeriesRequest", SeriesRequest.getEncoder(), SeriesRequest::createDecoder);

  @Override
  public Serializer<SpecificRecord> serializer() {
    Serializer<Points> ofPoints = Topics.POINTS_SERDE.serializer();
    Serializer<SeriesRequest> ofRequests = requests.serializer();
    return (topic, value) ->
        value instanceof SeriesRequest request
            ? ofRequests.serialize(topic, request)
            : ofPoints.serialize(topic, (Points) value);
  }

  @Override
  public Deserializer<SpecificRecord> deserializer() {
    Deserializer<Points> ofPoints = Topics.POINTS_SERDE.deserializer();
    Deserializer<SeriesRequest> ofRequests = requests.deserializer();
    return (topic, bytes) ->
        SingleObject.hasHeader(bytes, REQUEST_HEADER)
            ? ofRequests.deserialize(topic, bytes)
            : ofPoints.deserialize(topic, bytes);
  }
}
