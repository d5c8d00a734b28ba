package dev.superstep.cli.view;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.PendingNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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

  public String text() {
    var when = at.truncatedTo(ChronoUnit.SECONDS);
    var due = next.isEmpty() ? "done" : "next: " + String.join(", ", next);
    return "%s  step %-4d  %-9s  %s  %s".formatted(checkpoint, step, source, when, due);
  }
}
