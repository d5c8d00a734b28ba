package dev.superstep.testkit;

import dev.superstep.checkpoint.Checkpointer;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;

/// The checkpointer that a suite tests. A class that implements [CheckpointerSuite] returns it
/// once, for all suites.
@ExtendWith({StoreUnderTest.Plain.class, StoreUnderTest.Complete.class})
public interface StoreUnderTest {
  /// Gives a test the store itself.
  final class Plain extends Fixture<Checkpointer> {
    /// For JUnit.
    public Plain() {
      super(Checkpointer.class, suite -> ((StoreUnderTest) suite).fresh());
    }
  }

  /// Gives a test the store with the calls of all capabilities.
  final class Complete extends Fixture<CompleteCheckpointer> {
    /// For JUnit.
    public Complete() {
      super(CompleteCheckpointer.class, Complete::opened);
    }

    private static CompleteCheckpointer opened(Object suite) {
      return CompleteCheckpointer.of(((StoreUnderTest) suite).fresh());
    }
  }

  /// An empty store. Called once for each test.
  Checkpointer fresh();

  /// The store of the last [#fresh()], opened again after it was closed; empty if it keeps nothing
  /// when it is closed.
  default Optional<Checkpointer> reopened() {
    return Optional.empty();
  }

  /// Another client of the store of the last [#fresh()], as a second process has one; empty if the
  /// store lives in one process.
  default Optional<Checkpointer> another() {
    return Optional.empty();
  }
}
