package dev.superstep.repl.internal.call;

import dev.superstep.node.ContextKey;
import dev.superstep.repl.host.TextSource;

/// The session whose cell makes calls, as the functions of a cell see it.
public interface CallSession {
  /// The text of a run.
  ContextKey<TextSource> CONTEXT = ContextKey.of("repl-context", TextSource.class);

  /// The text of a run that has none.
  TextSource NO_TEXT = TextSource.of("");

  /// The calls of the cell that runs.
  CellCalls calls();

  /// The calls of the session, against its limits.
  CallCounts counts();

  /// Returns whether literals in calls are looked at before a cell runs: not in cells that ran
  /// before there was such a check.
  boolean isChecking();

  /// The threads of graphs that the session goes on with.
  GraphLines lines();
}
