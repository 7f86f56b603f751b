package dev.rondo.connect.postgres.changes;

import java.util.List;

/**
 * An event.
 *
 * @param origin where it was in Kafka; stored once
 * @param tMs when it happened, epoch ms
 * @param data any text
 */
public record Event(String origin, long tMs, String what, List<String> tags, String data)
    implements Change {}
