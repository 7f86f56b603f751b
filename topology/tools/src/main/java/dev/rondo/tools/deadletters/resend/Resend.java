package dev.rondo.tools.deadletters;

import dev.rondo.tools.command.CommandException;
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
 * Sends letters to their topics, then marks those that Kafka has confirmed. Should it be killed in
 * between, some are sent once more the next time.
 */
final class Resend implements AutoCloseable {
  private final KafkaProducer<byte[], byte[]> producer;
  private final TargetTopics targets;
  private final ResendPlan plan;
  private final RecordProgress walk;
  private int sent;

  Resend(TopologyConfig config, TargetTopics targets, ResendPlan plan) {
    this.producer =
        new KafkaProducer<>(config.writer(), new ByteArraySerializer(), new ByteArraySerializer());
    this.targets = targets;
    this.plan = plan;
    this.walk = new RecordProgress("sending", plan.letters());
  }

  /**
   * Sends these in their order, and returns when they are marked.
   *
   * @throws CommandException where Kafka has not confirmed all of them; those that it has are
   *     marked
   */
  void send(List<DeadLetter> letters) throws InterruptedException {
    List<Optional<Exception>> failures = confirm(letters.stream().map(targets::record).toList());
    List<DeadLetterOffset> confirmed = new ArrayList<>();
    Exception failure = null;
    for (int n = 0; n < letters.size(); n++) {
      Optional<Exception> why = failures.get(n);
      if (why.isEmpty()) {
        confirmed.add(letters.get(n).place());
        walk.step();
      } else if (isOfTheRecord(why.get())) {
        plan.leaveOut(letters.get(n).source(), NotSent.REFUSED);
      } else {
        failure = why.get();
      }
    }
    mark(confirmed);
    sent += confirmed.size();
    if (failure != null) {
      throw CommandException.refused(
          "%d of %d letters are sent, then Kafka failed: %s; run it again for the others"
              .formatted(sent, plan.letters(), failure.getMessage()));
    }
  }

  private void mark(List<DeadLetterOffset> confirmed) throws InterruptedException {
    List<ProducerRecord<byte[], byte[]>> marks =
        confirmed.stream()
            .flatMap(place -> plan.sentWith(place).stream())
            .map(SentMarks::of)
            .toList();
    List<Exception> failures = confirm(marks).stream().flatMap(Optional::stream).toList();
    if (!failures.isEmpty()) {
      throw CommandException.refused(
          "%d letters are sent, but %d of them could not be marked: %s; the next run sends these once"
                  .formatted(sent + confirmed.size(), failures.size(), failures.get(0).getMessage())
              + " more");
    }
  }

  /** Why each could not be sent; empty where it is confirmed. */
  private List<Optional<Exception>> confirm(List<ProducerRecord<byte[], byte[]>> records)
      throws InterruptedException {
    List<Future<RecordMetadata>> confirmations = new ArrayList<>(records.size());
    for (ProducerRecord<byte[], byte[]> record : records) {
      confirmations.add(producer.send(record));
    }
    producer.flush();
    List<Optional<Exception>> failures = new ArrayList<>(records.size());
    for (Future<RecordMetadata> confirmation : confirmations) {
      failures.add(failure(confirmation));
    }
    return failures;
  }

  private static Optional<Exception> failure(Future<RecordMetadata> confirmation)
      throws InterruptedException {
    try {
      confirmation.get();
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.of(e.getCause() instanceof Exception cause ? cause : e);
    }
  }

  /** Another try would end in the same way; the other records can be sent all the same. */
  private static boolean isOfTheRecord(Exception failure) {
    return failure instanceof RecordTooLargeException || failure instanceof InvalidRecordException;
  }

  /** Letters that Kafka has confirmed. */
  int sent() {
    return sent;
  }

  @Override
  public void close() {
    walk.close();
    producer.close();
  }
}
