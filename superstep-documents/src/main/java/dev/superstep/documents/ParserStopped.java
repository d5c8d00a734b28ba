package dev.superstep.documents;

/// A parser was stopped, because it took too much time or memory for one document.
public final class ParserStopped extends DocumentFailed {
  private final String why;

  /// @param why one sentence without a full stop, after the name of the document
  public ParserStopped(String document, String why) {
    super(
        "documents.parser-stopped",
        document,
        why + ". Leave it out, or give its parser more time or memory.",
        null);
    this.why = why;
  }

  /// The reason, without the name of the document and without advice.
  public String why() {
    return why;
  }
}
