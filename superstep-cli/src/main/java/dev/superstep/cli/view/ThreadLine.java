package dev.superstep.cli.view;

import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.ThreadSummary;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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

  public String text() {
    var when = at.truncatedTo(ChronoUnit.SECONDS);
    return "%-32s  %-16s  step %-4d  %s  %s".formatted(thread, graph, step, when, status());
  }

  private String status() {
    var due = next.isEmpty() ? "done" : "next: " + String.join(", ", next);
    return atWork.map(holder -> due + ", at work: " + holder.owner()).orElse(due);
  }
}
