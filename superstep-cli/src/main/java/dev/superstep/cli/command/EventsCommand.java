package dev.superstep.cli.command;

import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.run.ThreadStore;
import dev.superstep.cli.view.EventText;
import dev.superstep.journal.JournalTail;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.json.Json;
import dev.superstep.language.Suggestion;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep events`.
@Command(
    name = "events",
    header = "Shows the events of a thread, from its journal.",
    description = {
      "Each event has a permanent offset, at which --after continues. With --follow, Ctrl-C",
      "ends with exit code 130."
    },
    footer = {
      "  superstep events monday",
      "  superstep events monday --follow --until-end",
      "  superstep events monday --node pay --kind node.failed --json"
    })
final class EventsCommand extends ThreadCommand {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final int BATCH = 200;
  private static final int WIDE = 120;
  private static final int NODES_FROM = 5_000;

  @Option(names = "--follow", description = "Wait for new events, also of later runs.")
  private boolean follow;

  @Option(
      names = "--until-end",
      description = "With --follow: end when no process runs the thread.")
  private boolean untilEnd;

  @Option(
      names = "--after",
      paramLabel = "N",
      defaultValue = "0",
      description = "Only events after this offset.")
  private long after;

  @Option(
      names = "--node",
      paramLabel = "N",
      description = "Only events of this node. May be repeated.")
  private Set<String> nodes = Set.of();

  @Option(
      names = "--kind",
      paramLabel = "K",
      description = "Only events of this kind, such as node.failed. May be repeated.")
  private Set<String> kinds = Set.of();

  @Option(
      names = "--run",
      paramLabel = "R",
      description = "Only events of this run. May be repeated.")
  private Set<String> runs = Set.of();

  @Option(names = "--json", description = "Write JSON, one entry of the journal per line.")
  private boolean json;

  EventsCommand(Host host) {
    super(host);
  }

  @Override
  void check() {
    if (after < 0)
      throw new UsageError("usage", "--after must not be negative, was " + after + ".");
    if (untilEnd && !follow) throw new UsageError("usage", "--until-end needs --follow.");
  }

  @Override
  int on(ThreadStore store) throws InterruptedException {
    var journal = store.journal();
    if (journal.lastOffset() == 0) store.head();
    var filter = EntryFilter.all();
    if (!nodes.isEmpty()) filter = filter.nodes(nodes.toArray(String[]::new));
    if (!kinds.isEmpty()) filter = filter.kinds(kinds.toArray(String[]::new));
    if (!runs.isEmpty()) filter = filter.runs(runs.toArray(String[]::new));
    boolean isEmpty;
    try (var tail = journal.only(filter).tail(after)) {
      isEmpty = show(tail, store) == 0;
    }
    if (isEmpty && !json) suggest(journal);
    return ExitCodes.COMPLETED;
  }

  /// Names the nodes that were probably meant, since a misspelt node has no events.
  private void suggest(ThreadJournal journal) throws InterruptedException {
    var known = new TreeSet<String>();
    try (var tail = journal.only(EntryFilter.all()).tail(0)) {
      for (int i = 0; i < NODES_FROM; i++) {
        var next = tail.poll(Duration.ZERO);
        if (next.isEmpty()) break;
        known.add(next.get().node());
      }
    }
    for (var node : nodes) {
      var meant = known.contains(node) ? Optional.<String>empty() : Suggestion.nearest(node, known);
      if (meant.isEmpty()) continue;
      var text =
          "superstep: no event is about node `%s`; did you mean `%s`?".formatted(node, meant.get());
      host.terminal().err().println(SafeText.line(text));
    }
  }

  /// Prints the events, and returns how many there were.
  private long show(JournalTail tail, ThreadStore store) throws InterruptedException {
    long all = 0;
    var table = EventText.table();
    boolean isShort = host.terminal().display().columns().orElse(WIDE) < WIDE;
    int waiting = 0;
    while (true) {
      // Asked before the last look, since a run tells its end before it lets go of the thread.
      boolean last = !follow || (untilEnd && isIdle(store));
      var next = tail.poll(last || waiting > 0 ? Duration.ZERO : PATIENCE);
      if (next.isPresent() && json) print(next.get());
      else if (next.isPresent()) EventText.add(next.get(), table, isShort);
      if (next.isPresent()) all++;
      if (next.isPresent() && ++waiting < BATCH) continue;
      table.print(host.terminal());
      boolean isAtEnd = next.isEmpty() && waiting == 0;
      waiting = 0;
      if (isAtEnd && (last || host.terminal().out().checkError())) return all;
    }
  }

  private static boolean isIdle(ThreadStore store) {
    return store.threads().find(store.thread()).flatMap(head -> head.holder()).isEmpty();
  }

  private void print(Entry entry) {
    var out = host.terminal().out();
    out.println(Json.of(entry).text());
    out.flush();
  }
}
