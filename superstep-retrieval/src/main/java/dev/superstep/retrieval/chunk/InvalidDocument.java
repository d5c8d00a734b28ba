package dev.superstep.retrieval.chunk;

import dev.superstep.json.SuperstepException;

/// The index cannot store a document or a chunk. Nothing was written.
public final class InvalidDocument extends SuperstepException {
  private static final int SHOWN_MAX = 60;
  private final String id;

  /// @param what `document` or `chunk`
  /// @param why the rest of the sentence, and what to do
  InvalidDocument(String what, String id, String why) {
    super("retrieval.invalid-document", "The %s `%s` %s".formatted(what, quote(id), why));
    this.id = id;
  }

  /// Its id, which may be what is wrong with it.
  public String id() {
    return id;
  }

  private static String quote(String id) {
    return id.codePointCount(0, id.length()) <= SHOWN_MAX
        ? id
        : id.substring(0, id.offsetByCodePoints(0, SHOWN_MAX)) + "...";
  }
}
