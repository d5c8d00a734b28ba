package dev.superstep.store.jdbc.sql;

/// Thrown when a closed store is used.
public final class StoreClosed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreClosed() {
    super("closed");
  }
}
