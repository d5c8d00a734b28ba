package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The conformance tests of a [Checkpointer]. A test class implements this interface, and also the
/// suite of each [CheckpointerCapability] that the checkpointer has, or [FullCheckpointerSuite] for
/// all:
///
/// ```java
/// final class RedisCheckpointerTest implements CheckpointerSuite, ThreadForksSuite {
///   @Override
///   public Checkpointer fresh() {
///     return RedisCheckpointer.open(emptyDatabase());
///   }
/// }
/// ```
///
/// Tests about several capabilities at once are skipped where one of them is missing.
public interface CheckpointerSuite extends CheckpointsSuite, TasksSuite, LeaseSuite {
  @Test
  default void each_capability_is_tested_by_its_suite(Checkpointer store) {
    var suites = suites(getClass());
    for (var type : CheckpointerCapability.class.getPermittedSubclasses()) {
      boolean isTested = suites.contains(type.getSimpleName() + "Suite");
      boolean isClaimed =
          store.capability(type.asSubclass(CheckpointerCapability.class)).isPresent();
      assertThat(isTested)
          .as("the test implements %sSuite: %s", type.getSimpleName(), suites)
          .isEqualTo(isClaimed);
    }
  }

  private static List<String> suites(Class<?> test) {
    return Arrays.stream(test.getInterfaces())
        .<String>mapMulti((each, into) -> {
          into.accept(each.getSimpleName());
          suites(each).forEach(into);
        })
        .toList();
  }
}
