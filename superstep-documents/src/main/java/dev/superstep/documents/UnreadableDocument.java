package dev.superstep.documents;

import org.jspecify.annotations.Nullable;

/// A document is damaged, is not of the format that its name says, or its file cannot be read.
public final class UnreadableDocument extends DocumentFailed {
  private final String why;

  /// @param why one sentence without a full stop, after the name of the document
  public UnreadableDocument(String document, String why, @Nullable Throwable cause) {
    super(
        "documents.unreadable",
        document,
        why + ". Open it in its own program to see whether it is damaged.",
        cause);
    this.why = why;
  }

  /// The reason, without the name of the document and without advice.
  public String why() {
    return why;
  }
}
