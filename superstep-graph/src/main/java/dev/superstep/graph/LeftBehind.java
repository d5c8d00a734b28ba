package dev.superstep.graph;

/// Ends what an attempt still tries after its node ran out of time. Nobody sees it but the code of
/// that node; an error, so that `catch (Exception e)` lets it pass.
final class LeftBehind extends Error {
  private static final long serialVersionUID = 1L;

  LeftBehind() {
    super("this attempt took too long and was given up", null, false, false);
  }
}
