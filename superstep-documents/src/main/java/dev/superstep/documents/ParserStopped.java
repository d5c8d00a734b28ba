package dev.superstep.documents;

/// A parser was stopped, because it took too much time or memory for one document.
public final class ParserStopped extends DocumentFailed {
  /// @param why one sentence without a full stop, after the name of the document
  public ParserStopped(String document, String why) {
    super(
        "documents.parser-stopped",
        document,
        why + ". Leave it out, or give its parser more time or memory.",
        null);
  }
}
