package dev.rondo.tools.deadletters.resend;

import dev.rondo.schemas.Topics;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.CommandProgress;
import dev.rondo.tools.deadletters.read.DeadLetter;
import dev.rondo.tools.deadletters.read.DeadLetterLocation;
import dev.rondo.tools.deadletters.read.SentMarks;
import dev.rondo.topology.config.TopologyConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends dead letters to their topics, then marks those that Kafka has acknowledged. If it is killed
 * in between, the next run sends some again.
 */
final class Resend implements AutoCloseable {
  private final KafkaProducer<byte[], byte[]> producer;
  private final String deadLetters;
  private final TargetTopics targets;
  private final ResendPlan plan;
  private final CommandProgress progress;
  private int sent;

  Resend(TopologyConfig config, TargetTopics targets, ResendPlan plan) {
    this.producer =
        new KafkaProducer<>(config.writer(), new ByteArraySerializer(), new ByteArraySerializer());
    this.deadLetters = config.topic(Topics.DEAD_LETTERS).name();
    this.targets = targets;
    this.plan = plan;
    this.progress = new CommandProgress("sending", "records", plan.size());
  }

  /**
   * Sends the dead letters in order; returns when they are marked.
   *
   * @throws CommandException if Kafka has not acknowledged all of them; the acknowledged ones are
   *     marked
   */
  void send(List<DeadLetter> deadLetters) throws InterruptedException {
    List<Optional<Exception>> failures =
        confirm(deadLetters.stream().map(targets::record).toList());
    List<DeadLetterLocation> acknowledged = new ArrayList<>();
    Exception failure = null;
    for (int n = 0; n < deadLetters.size(); n++) {
      Optional<Exception> why = failures.get(n);
      if (why.isEmpty()) {
        acknowledged.add(deadLetters.get(n).location());
        progress.step();
      } else if (isOfTheRecord(why.get())) {
        plan.skip(deadLetters.get(n).source(), NotSent.REFUSED);
      } else {
        failure = why.get();
      }
    }
    mark(acknowledged);
    sent += acknowledged.size();
    if (failure != null) {
      throw CommandException.refused(
          "sent %d of %d dead letters, then Kafka failed: %s; run the command again for the others"
              .formatted(sent, plan.size(), failure.getMessage()));
    }
  }

  private void mark(List<DeadLetterLocation> acknowledged) throws InterruptedException {
    List<ProducerRecord<byte[], byte[]>> marks =
        acknowledged.stream()
            .flatMap(location -> plan.sentWith(location).stream())
            .map(location -> SentMarks.of(deadLetters, location))
            .toList();
    List<Exception> failures = confirm(marks).stream().flatMap(Optional::stream).toList();
    if (!failures.isEmpty()) {
      throw CommandException.refused(
          "sent %d dead letters, but %d of them could not be marked: %s; the next run sends these once"
                  .formatted(
                      sent + acknowledged.size(), failures.size(), failures.get(0).getMessage())
              + " more");
    }
  }

  /** Sends the records; returns the failure of each, empty if Kafka has acknowledged it. */
  private List<Optional<Exception>> confirm(List<ProducerRecord<byte[], byte[]>> records)
      throws InterruptedException {
    List<Future<RecordMetadata>> acknowledgements = new ArrayList<>(records.size());
    for (ProducerRecord<byte[], byte[]> record : records) {
      acknowledgements.add(producer.send(record));
    }
    producer.flush();
    List<Optional<Exception>> failures = new ArrayList<>(records.size());
    for (Future<RecordMetadata> acknowledgement : acknowledgements) {
      failures.add(failure(acknowledgement));
    }
    return failures;
  }

  private static Optional<Exception> failure(Future<RecordMetadata> acknowledgement)
      throws InterruptedException {
    try {
      acknowledgement.get();
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.of(e.getCause() instanceof Exception cause ? cause : e);
    }
  }

  /**
   * Whether the record itself is refused: a retry would fail again, and other records can still be
   * sent.
   */
  private static boolean isOfTheRecord(Exception failure) {
    return failure instanceof RecordTooLargeException || failure instanceof InvalidRecordException;
  }

  /** Number of dead letters that Kafka has acknowledged. */
  int sent() {
    return sent;
  }

  @Override
  public void close() {
    progress.close();
    producer.close();
  }
}
