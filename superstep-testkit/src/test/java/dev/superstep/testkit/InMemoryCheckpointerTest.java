package dev.superstep.testkit;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;

final class InMemoryCheckpointerTest implements FullCheckpointerSuite {
  @Override
  public Checkpointer fresh() {
    return new InMemoryCheckpointer();
  }
}
