package dev.superstep.documents;

/// A document is encrypted with a password.
public final class EncryptedDocument extends DocumentFailed {
  /// @param document its id
  public EncryptedDocument(String document) {
    super(
        "documents.encrypted",
        document,
        "is encrypted with a password. Save a copy without one and load that.",
        null);
  }
}
