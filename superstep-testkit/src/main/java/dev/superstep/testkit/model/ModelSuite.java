package dev.superstep.testkit.model;

import dev.superstep.testkit.Fixture;
import org.junit.jupiter.api.extension.ExtendWith;

/// A suite whose tests take a model and its server.
@ExtendWith(ModelSuite.Opened.class)
public interface ModelSuite {
  /// A fresh model on a fresh server.
  ModelUnderTest open();

  /// Gives a test a fresh model on a fresh server.
  final class Opened extends Fixture<ModelUnderTest> {
    /// For JUnit.
    public Opened() {
      super(ModelUnderTest.class, suite -> ((ModelSuite) suite).open());
    }
  }
}
