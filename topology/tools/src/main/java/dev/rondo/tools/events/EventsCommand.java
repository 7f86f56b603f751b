package dev.rondo.tools.events;

import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.CommandOutput;
import dev.rondo.tools.command.Confirmation;
import dev.rondo.tools.command.DatabaseOption;
import dev.rondo.tools.command.PastTime;
import dev.rondo.tools.events.StoredEvents.Selection;
import dev.rondo.tools.events.StoredEvents.StoredEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code ./rondo events}. */
@Command(
    name = "events",
    description = {
      "Lists or deletes the events that graphs show as annotations.",
      "",
      "Events are stored in PostgreSQL. Selects those that meet all conditions."
    },
    footer = {
      "TIME is ISO 8601 (2026-03-01T14:00:00Z; without an offset it is UTC), epoch seconds or"
          + " milliseconds, or a span back such as 90m, 6h or 2d.",
      "",
      "USER must be a member of rondo_reader and, to delete, of rondo_event_writer.",
      "",
      "Exit code 0 on success, 1 when events were not deleted or the command failed, 2 on wrong"
          + " usage."
    })
public final class EventsCommand implements Callable<Integer> {
  private static final int SHOWN = 100;

  /** Between tags, as in the events of a source: no stored tag has them. */
  private static final Pattern SEPARATORS = Pattern.compile("[\\s,]+");

  /** The year 9999: no event is later. */
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  @Option(names = "--id", paramLabel = "ID", description = "Event with this id; repeatable.")
  private List<Long> ids = List.of();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Events that happened at TIME or later.")
  private String from;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Events that happened at TIME or earlier.")
  private String until;

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      description = "Events with this tag; repeatable, an event must have all of them.")
  private List<String> tags = List.of();

  @Option(names = "--delete", description = "Delete the selected events.")
  private boolean delete;

  @Option(names = "--yes", description = "Do not ask for confirmation.")
  private boolean yes;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Data folder of ./rondo up (default: .rondo in the clone).")
  private Path dir;

  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Mixin private final CommandOutput out = new CommandOutput();

  private final Clock clock = Clock.systemUTC();

  @Override
  public Integer call() throws IOException, SQLException {
    List<String> wanted =
        tags.stream().flatMap(SEPARATORS::splitAsStream).filter(tag -> !tag.isEmpty()).toList();
    Selection selection =
        new Selection(
            ids,
            from == null ? Instant.EPOCH : time(from, "--from"),
            until == null ? LAST : time(until, "--until"),
            wanted);
    boolean isAll = ids.isEmpty() && from == null && until == null && wanted.isEmpty();
    if (delete && isAll) {
      throw CommandException.misuse(
          "which events to delete is not said (--id, --from, --until, --tag); --from=0 are all");
    }
    try (Connection connection = database.connect("rondo-events", dir)) {
      StoredEvents events = new StoredEvents(connection);
      int number = events.count(selection);
      List<StoredEvent> newest = events.newest(selection, SHOWN);
      newest.forEach(event -> out.line(line(event)));
      out.line(
          "%d events%s"
              .formatted(number, number > newest.size() ? ", of which the newest are shown" : ""));
      if (delete && number > 0) {
        if (!yes) {
          Confirmation.ask("delete them? (yes) ", "nothing was deleted");
        }
        out.line("deleted %d events".formatted(events.delete(selection)));
      }
    }
    return ExitCode.OK;
  }

  private Instant time(String text, String option) {
    return Instant.ofEpochMilli(PastTime.parseMs(text, clock, option));
  }

  private static String line(StoredEvent event) {
    return "%d  %s  %s  %s  %s"
        .formatted(
            event.id(),
            event.t(),
            event.what().replaceAll("\\p{Cntrl}", " "),
            event.tags(),
            event.origin() == null ? "by HTTP" : event.origin());
  }
}
