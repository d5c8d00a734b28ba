package dev.superstep.testkit;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.StoreMetrics;

final class MeasuredCheckpointerTest implements FullCheckpointerSuite {
  @Override
  public Checkpointer fresh() {
    return new StoreMetrics().measuring(new InMemoryCheckpointer());
  }
}
