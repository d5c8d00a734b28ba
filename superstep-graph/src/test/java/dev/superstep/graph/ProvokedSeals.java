package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.graph.ErrorMessagesTest.Case;
import dev.superstep.json.Json;
import java.time.Duration;
import java.util.List;

/// Ways to make the errors of encrypted stores.
final class ProvokedSeals {
  private static final Lineage AT = Lineage.of("t");

  private ProvokedSeals() {}

  static List<Case> all() {
    return List.of(
        new Case(
            "a store that is not encrypted is read with keys",
            () -> {
              var store = new InMemoryCheckpointer();
              write(store);
              EncryptedCheckpointer.over(store, ring("2026")).steps(AT, "c");
            }),
        new Case(
            "the key of an encrypted store is not in the ring",
            () -> {
              var store = new InMemoryCheckpointer();
              write(EncryptedCheckpointer.over(store, ring("2026")));
              EncryptedCheckpointer.over(store, ring("2027")).steps(AT, "c");
            }),
        new Case(
            "an encrypted store was tampered with",
            () -> {
              var store = new InMemoryCheckpointer();
              var sealed = EncryptedCheckpointer.over(store, ring("2026"));
              var lease = write(sealed);
              var seal = store.steps(AT, "c").getFirst().result();
              store.saveStep(lease, AT, "c", new StepRecord("task", "refund", seal));
              sealed.steps(AT, "c");
            }),
        new Case(
            "a value from before families is put into a thread that was begun since",
            () -> {
              var store = new InMemoryCheckpointer();
              var sealed = EncryptedCheckpointer.over(store, ring("2026"));
              var lease = write(sealed);
              var seal = Json.string("sealed1:2026:AAAA");
              store.saveStep(lease, AT, "c", new StepRecord("task", "refund", seal));
              sealed.steps(AT, "c");
            }));
  }

  private static KeyRing ring(String id) {
    return KeyRing.of(id, new byte[KeyRing.KEY_BYTES]);
  }

  private static Lease write(Checkpointer store) {
    var lease = store.acquire("t", "test", Duration.ofMinutes(1));
    store.saveStep(lease, AT, "c", new StepRecord("task", "pay", Json.of(true)));
    return lease;
  }
}
