package dev.superstep.testkit;

import dev.superstep.checkpoint.Checkpointer;
import java.util.Optional;

/// The checkpointer that a suite tests. A class that implements [CheckpointerSuite] returns it
/// once, for all suites.
public interface StoreUnderTest {
  /// An empty store. Called once for each test.
  Checkpointer fresh();

  /// The store of the last [#fresh()], opened again after it was closed; empty if it keeps nothing
  /// when it is closed.
  default Optional<Checkpointer> reopened() {
    return Optional.empty();
  }
}
