package dev.superstep.testkit;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;

final class EncryptedCheckpointerTest implements FullCheckpointerSuite {
  private static final KeyRing RING = KeyRing.of("test", new byte[KeyRing.KEY_BYTES]);

  @Override
  public Checkpointer fresh() {
    return EncryptedCheckpointer.over(new InMemoryCheckpointer(), RING);
  }
}
