package dev.superstep.documents;

/// No loader accepts a document.
public final class UnsupportedDocument extends DocumentFailed {
  /// @param loaders the loaders that were asked
  public UnsupportedDocument(String document, String loaders) {
    super(
        "documents.unsupported",
        document,
        "has a format that no loader accepts (%s). Add a loader for it, or leave it out."
            .formatted(loaders),
        null);
  }
}
