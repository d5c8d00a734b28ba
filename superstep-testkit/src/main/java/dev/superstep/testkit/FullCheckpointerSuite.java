package dev.superstep.testkit;

import static dev.superstep.testkit.History.LINEAGE;
import static dev.superstep.testkit.History.checkpoint;
import static dev.superstep.testkit.History.whole;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.Saved;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The conformance tests of a [Checkpointer] with all capabilities: the core, each capability, and
/// the combinations of several.
public interface FullCheckpointerSuite
    extends CheckpointerSuite,
        ThreadListingSuite,
        ThreadForksSuite,
        ThreadRemovalSuite,
        EventJournalSuite,
        LeaseControlSuite,
        BindingStorageSuite,
        GraphShapesSuite,
        GraphsSuite,
        CombinedCallsSuite,
        MemoriesSuite,
        LargeValuesSuite,
        ResumptionSuite {
  /// Channels, so that what refers to their values is not small.
  int MANY = 120;

  @Test
  default void many_channels_survive_changes_forks_and_removals(CompleteCheckpointer store) {
    var random = new SplittableRandom(5);
    var history = History.of(store);
    var first = new ArrayList<ChannelChange>();
    for (int i = 0; i < MANY; i++)
      first.add(whole("wide" + i, 1, "\"" + "x".repeat(i % 80) + "\""));
    history.commit(first.toArray(ChannelChange[]::new));
    for (int i = 0; i < 2 * MANY; i++) {
      var changed = "wide" + random.nextInt(MANY);
      if (i % 3 > 0) history.commit(whole(changed, i + 2, "" + i));
      else history.commitAnything(random);
    }
    history.agrees();
    var last = "c" + 2 * MANY;
    var kept = new LinkedHashMap<String, Saved>();
    for (int i = MANY; i <= 2 * MANY; i += MANY / 4) {
      kept.put("c" + i, store.byId(LINEAGE, "c" + i).orElseThrow());
    }
    var other = new Lineage("other", "");
    var lease = History.hold(store, "other");
    var made = checkpoint("f0", Optional.empty(), MANY);
    assertThat(store.fork(lease, new Fork(LINEAGE, "c" + MANY, other, made, List.of()))).isTrue();
    var next = checkpoint("f1", Optional.of("f0"), MANY + 1);
    assertThat(store.commit(lease, new Commit(other, next, List.of(whole("wide7", 9_999, "7")))))
        .isTrue();
    store.prune(history.lease(), Prune.keepLast(MANY + 1));
    kept.forEach((id, saved) -> assertThat(store.byId(LINEAGE, id)).as(id).contains(saved));
    history.commit(whole("wide8", 9_999, "8"));
    assertThat(store.byId(LINEAGE, last)).contains(kept.get(last));
    var before = History.values(Objects.requireNonNull(kept.get("c" + MANY)));
    var forked = History.values(store.latest(other).orElseThrow());
    assertThat(forked.remove("wide7")).isNotEqualTo(before.remove("wide7"));
    assertThat(forked).isEqualTo(before);
    var after = History.values(store.latest(LINEAGE).orElseThrow());
    var newest = History.values(Objects.requireNonNull(kept.get(last)));
    assertThat(after.remove("wide8")).isNotEqualTo(newest.remove("wide8"));
    assertThat(after).isEqualTo(newest);
  }

  @Test
  default void any_operations_have_the_same_results_as_in_memory(Checkpointer store)
      throws Exception {
    int cases = Integer.getInteger("superstep.cases", 6);
    Property.check(1, cases, Operations.any(), operations -> operations.agree(store));
  }
}
