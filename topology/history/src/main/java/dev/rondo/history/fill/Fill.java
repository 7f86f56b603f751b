package dev.rondo.history.fill;

import java.time.Instant;

/**
 * A row of {@code archive_fill}.
 *
 * @param untilMs end of the first slot that points brought, epoch ms
 */
record Fill(StoredArchive archive, long untilMs, Instant started) {}
