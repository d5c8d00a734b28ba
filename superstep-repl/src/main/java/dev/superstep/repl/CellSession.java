package dev.superstep.repl;

import java.util.List;

/// A session in some interpreter, as its driver sees it: cells come in, results go out, variables
/// stay. [ReplSession] is the built-in one; a [SessionBackend] opens others.
public interface CellSession extends AutoCloseable {
  /// Runs a cell and waits for it; functions of the host run on the calling thread, and their time
  /// is not the cell's. Never throws for what the source does: that is in the result. An [Error] of
  /// such a function, such as a suspension, ends the cell and is thrown. An interrupt cancels the
  /// cell, and the thread is still interrupted then.
  CellResult executeHere(String source);

  /// The variables of the session, without their values.
  List<CellResult.Variable> variables();

  /// Ends the session. A cell that runs is cancelled; later ones do not run.
  @Override
  void close();
}
