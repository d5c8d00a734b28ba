package dev.superstep.cli.view;

import dev.superstep.checkpoint.Entry;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.screen.Column;
import dev.superstep.cli.screen.Style;
import dev.superstep.cli.screen.Table;
import dev.superstep.cli.screen.Table.Cell;
import dev.superstep.event.Event;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.json.MalformedJson;
import dev.superstep.model.ModelUse;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// Entries of a journal as rows for people.
public final class EventText {
  private static final int DETAIL_MAX = 120;

  private EventText() {}

  /// A table for entries, which may be printed before the widest is known.
  public static Table table() {
    return Table.of(
        Column.number("OFFSET"),
        Column.whole("TIME (UTC)").atLeast(12),
        Column.whole("EVENT").atLeast(17),
        Column.cut("NODE", 10),
        Column.wrap("DETAIL", 20));
  }

  /// Adds an entry to such a table.
  ///
  /// @param isShort whether to leave the day out, where lines are short
  public static void add(Entry entry, Table table, boolean isShort) {
    var path = String.join("/", entry.path());
    var node = entry.path().isEmpty() ? entry.node() : path + "/" + entry.node();
    var time =
        isShort ? TimeText.clock(entry.at()) : entry.at().truncatedTo(ChronoUnit.MILLIS).toString();
    table.row(
        Cell.of(String.valueOf(entry.offset())),
        Cell.of(time),
        new Cell(entry.kind(), entry.kind().endsWith(".failed") ? Style.DANGER : Style.PLAIN),
        Cell.of(node),
        Cell.of(detail(entry)));
  }

  private static String detail(Entry entry) {
    try {
      var text = SafeText.line(detail(ThreadJournal.event(entry)));
      return text.length() <= DETAIL_MAX ? text : text.substring(0, DETAIL_MAX - 1) + "…";
    } catch (MalformedJson _) {
      // A newer version told it; its kind and place are known all the same.
      return "";
    }
  }

  private static String detail(Event event) {
    return switch (event) {
      case Event.RunStarted e -> (e.resumed() ? "resumed, run " : "run ") + e.origin().run();
      case Event.StepStarted e -> "step " + e.origin().step() + ": " + listed(e.nodes());
      case Event.StepFinished e -> e.next().isEmpty() ? "" : "next: " + listed(e.next());
      case Event.NodeRetried e -> "attempt " + e.attempt() + " of " + e.most() + ": " + e.error();
      case Event.NodeFailed e -> e.error();
      case Event.NodeFinished e -> e.channels().isEmpty() ? "" : "wrote " + listed(e.channels());
      case Event.NodeEmitted e when e.name().equals(ModelUse.RECORDED) ->
          used(e.payload().as(ModelUse.class));
      case Event.NodeEmitted e -> e.name() + " " + e.payload();
      case Event.TextArrived e -> e.piece().text();
      case Event.PieceArrived e -> e.channel() + " " + e.piece();
      case Event.InterruptRaised e ->
          e.interrupt().id() + " " + e.interrupt().question() + " " + e.interrupt().payload();
      case Event.InterruptAnswered e -> e.interrupt() + " " + e.answer();
      case Event.StateUpdated e -> "as " + listed(e.nodes());
      case Event.ThreadForked e -> "from " + e.older() + " of thread " + e.from();
      case Event.RunStopped e -> e.reason();
      case Event.RunFailed e -> e.code() + ": " + e.message();
      case Event _ -> "";
    };
  }

  private static String used(ModelUse use) {
    var tokens = use.usage().input() + " tokens in, " + use.usage().output() + " out";
    return "usage.recorded: " + tokens + ", " + use.model();
  }

  private static String listed(List<String> names) {
    return String.join(", ", names.stream().distinct().toList());
  }
}
