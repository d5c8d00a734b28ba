package dev.superstep.store;

import java.time.Duration;
import java.util.Locale;

/// An event of a [Store], published to the listener of an [ObservedStore]. It holds keys and sizes
/// and never a value; a key or a namespace whose name says that it is about a secret is left out.
/// Immutable.
public sealed interface StoreEvent {
  /// The operation.
  Operation operation();

  /// Where, or `[redacted]`.
  String namespace();

  /// The key, `[redacted]`, or empty if the operation is not about one.
  String key();

  /// An operation of a store.
  enum Operation {
    /// Reads an item.
    GET,
    /// Keeps an item.
    PUT,
    /// Forgets an item.
    DELETE,
    /// Reads the items that match.
    SEARCH
  }

  /// `store.get.started`, `store.put.started` and so on.
  record Started(Operation operation, String namespace, String key) implements StoreEvent {}

  /// `store.get.completed`, `store.put.completed` and so on.
  ///
  /// @param items how many were read, kept or forgotten
  /// @param bytes of their values
  record Completed(
      Operation operation, String namespace, String key, int items, long bytes, Duration took)
      implements StoreEvent {}

  /// `store.error`: an operation failed.
  ///
  /// @param code of the error
  record Failed(Operation operation, String namespace, String key, String code)
      implements StoreEvent {}

  /// The name by which it goes in logs.
  default String name() {
    var operation = operation().name().toLowerCase(Locale.ROOT);
    return switch (this) {
      case Started _ -> "store." + operation + ".started";
      case Completed _ -> "store." + operation + ".completed";
      case Failed _ -> "store.error";
    };
  }
}
