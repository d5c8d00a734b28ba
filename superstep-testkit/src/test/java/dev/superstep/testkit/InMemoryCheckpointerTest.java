package dev.superstep.testkit;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;

final class InMemoryCheckpointerTest implements CheckpointerSuite {
  @Override
  public Checkpointer fresh() {
    return new InMemoryCheckpointer();
  }
}
