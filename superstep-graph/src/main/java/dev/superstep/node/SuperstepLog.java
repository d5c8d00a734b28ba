package dev.superstep.node;

import java.util.Map;

/// A log that the tasks of one superstep share: for effects that must not be forgotten, such as
/// costs, even if the superstep fails or its process dies. When the superstep runs again, its tasks
/// find the earlier entries. The log ends with the superstep, whose tasks write anything lasting to
/// channels; a fork of the thread begins without it. Safe for many threads.
///
/// @param <T> a closed type
public interface SuperstepLog<T> {
  /// Adds an entry, and saves it before this returns, as far as the durability of the run allows:
  /// with [dev.superstep.run.Durability#EXIT] it is lost if the process dies.
  ///
  /// @return the entry's id, which is its own within the superstep
  String add(T entry);

  /// All entries by id: those of earlier runs of the superstep, then those of this one.
  Map<String, T> entries();
}
