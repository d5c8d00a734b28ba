package dev.superstep.documents;

import dev.superstep.json.SuperstepException;
import org.jspecify.annotations.Nullable;

/// A document could not be loaded. Other documents are not affected: an [Ingestion] reports it and
/// goes on.
public abstract sealed class DocumentFailed extends SuperstepException
    permits DocumentTooLarge,
        EncryptedDocument,
        ParserStopped,
        UnreadableDocument,
        UnsupportedDocument {
  private static final int SHOWN_MAX = 120;
  private final String document;

  /// @param why the rest of the sentence, and what to do
  DocumentFailed(String code, String document, String why, @Nullable Throwable cause) {
    super(code, "The document `%s` %s".formatted(shown(document), why), cause);
    this.document = document;
  }

  /// The id of the document.
  public String document() {
    return document;
  }

  private static String shown(String id) {
    return id.codePointCount(0, id.length()) <= SHOWN_MAX
        ? id
        : id.substring(0, id.offsetByCodePoints(0, SHOWN_MAX)) + "...";
  }
}
