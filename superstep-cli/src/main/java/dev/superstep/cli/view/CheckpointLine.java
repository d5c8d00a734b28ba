package dev.superstep.cli.view;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.cli.screen.Column;
import dev.superstep.cli.screen.Style;
import dev.superstep.cli.screen.Table;
import dev.superstep.cli.screen.Table.Cell;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A checkpoint in a list; one line of `--json`.
///
/// @param source what made it, such as `loop`
/// @param ran the nodes of the superstep that ended there
/// @param next the nodes that are due
public record CheckpointLine(
    String checkpoint,
    Optional<String> parent,
    int step,
    Instant at,
    String source,
    String run,
    List<String> ran,
    List<String> next) {
  public static CheckpointLine of(Checkpoint at) {
    return new CheckpointLine(
        at.id(),
        at.parent(),
        at.step(),
        at.at(),
        at.source().name().toLowerCase(Locale.ROOT),
        at.run(),
        at.progress().ran(),
        at.progress().next().stream().map(PendingNode::node).distinct().toList());
  }

  /// A table for such lines.
  public static Table table() {
    return Table.of(
        Column.whole("CHECKPOINT"),
        Column.number("STEP"),
        Column.whole("SOURCE"),
        Column.whole("WRITTEN (UTC)"),
        Column.wrap("NEXT", 10));
  }

  /// Adds the line to such a table.
  public void addTo(Table table) {
    table.row(
        Cell.of(checkpoint),
        Cell.of(String.valueOf(step)),
        Cell.of(source),
        Cell.of(TimeText.minutes(at)),
        next.isEmpty() ? new Cell("done", Style.GOOD) : Cell.of(String.join(", ", next)));
  }
}
