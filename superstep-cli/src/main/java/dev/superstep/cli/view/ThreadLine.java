package dev.superstep.cli.view;

import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.cli.screen.Column;
import dev.superstep.cli.screen.Style;
import dev.superstep.cli.screen.Table;
import dev.superstep.cli.screen.Table.Cell;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A thread in a list; one line of `--json`.
///
/// @param next the nodes that are due; none if the thread has nothing left to do
/// @param atWork who is at work on it, if anybody is
public record ThreadLine(
    String thread,
    String graph,
    int step,
    Instant at,
    List<String> next,
    Optional<ThreadSummary.Holder> atWork) {
  public static ThreadLine of(ThreadSummary head) {
    var at = head.checkpoint();
    var next = at.progress().next().stream().map(PendingNode::node).distinct().toList();
    return new ThreadLine(head.thread(), at.graph(), at.step(), at.at(), next, head.holder());
  }

  /// A table for such lines.
  public static Table table() {
    return Table.of(
        Column.whole("THREAD"),
        Column.cut("GRAPH", 8),
        Column.number("STEP"),
        Column.whole("WRITTEN (UTC)"),
        Column.wrap("STATUS", 16));
  }

  /// Adds the line to such a table.
  public void addTo(Table table) {
    table.row(
        Cell.of(thread),
        Cell.of(graph),
        Cell.of(String.valueOf(step)),
        Cell.of(TimeText.minutes(at)),
        status());
  }

  private Cell status() {
    if (atWork.isPresent()) {
      var who = "at work: " + atWork.get().owner();
      return Cell.of(next.isEmpty() ? who : "next: " + String.join(", ", next) + ", " + who);
    }
    return next.isEmpty()
        ? new Cell("done", Style.GOOD)
        : Cell.of("next: " + String.join(", ", next));
  }
}
