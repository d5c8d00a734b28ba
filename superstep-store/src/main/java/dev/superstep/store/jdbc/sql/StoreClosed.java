package dev.superstep.store.jdbc.sql;

/// Thrown when a closed store is used.
public final class StoreClosed extends RuntimeException {
  public StoreClosed() {
    super("closed");
  }
}
