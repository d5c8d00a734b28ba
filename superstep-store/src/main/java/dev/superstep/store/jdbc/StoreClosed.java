package dev.superstep.store.jdbc;

/// The store was used after its end.
final class StoreClosed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreClosed() {
    super("closed");
  }
}
