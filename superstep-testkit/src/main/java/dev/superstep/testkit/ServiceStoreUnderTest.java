package dev.superstep.testkit;

import dev.superstep.service.ServiceStore;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;

/// The store that the suites of [ServiceStoreSuite] test.
@ExtendWith(ServiceStoreUnderTest.Opened.class)
public interface ServiceStoreUnderTest {
  /// Gives a test an empty store.
  final class Opened extends Fixture<ServiceStore> {
    /// For JUnit.
    public Opened() {
      super(ServiceStore.class, suite -> ((ServiceStoreUnderTest) suite).fresh());
    }
  }

  /// An empty store. Called once for each test.
  ServiceStore fresh();

  /// Another client of the store of the last [#fresh()], as a second process has one; empty if the
  /// store lives in one process.
  default Optional<ServiceStore> another() {
    return Optional.empty();
  }
}
