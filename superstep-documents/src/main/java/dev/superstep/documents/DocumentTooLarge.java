package dev.superstep.documents;

/// A document is larger than its limits allow, by itself or once it is unpacked.
public final class DocumentTooLarge extends DocumentFailed {
  private final String unit;
  private final long limit;

  /// @param unit of the limit, such as `bytes`
  public DocumentTooLarge(String document, String unit, long limit) {
    super(
        "documents.too-large",
        document,
        "has more than %,d %s. Leave it out, split it, or raise the limit in DocumentLimits."
            .formatted(limit, unit),
        null);
    this.unit = unit;
    this.limit = limit;
  }

  /// The unit of the limit, such as `bytes`.
  public String unit() {
    return unit;
  }

  /// The limit that it exceeds.
  public long limit() {
    return limit;
  }
}
