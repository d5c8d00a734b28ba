package dev.superstep.testkit;

import dev.superstep.checkpoint.Checkpointer;
import org.junit.jupiter.api.Test;

/// The tests that every [Checkpointer] must pass. A test class implements this interface:
///
/// ```java
/// final class RedisCheckpointerTest implements CheckpointerSuite {
///   @Override
///   public Checkpointer fresh() {
///     return RedisCheckpointer.open(emptyDatabase());
///   }
/// }
/// ```
public interface CheckpointerSuite
    extends CheckpointsSuite,
        TasksSuite,
        LeaseSuite,
        LastWriteSuite,
        JournalSuite,
        ThreadsSuite,
        MemoriesSuite,
        RemovalSuite,
        LargeValuesSuite {
  @Test
  default void any_operations_give_what_they_give_in_memory() throws Exception {
    try (var store = CompleteCheckpointer.of(fresh())) {
      int cases = Integer.getInteger("superstep.cases", 6);
      Property.check(1, cases, Operations.any(), operations -> operations.agree(store));
    }
  }
}
