package dev.superstep.testkit;

import static dev.superstep.testkit.History.LINEAGE;
import static dev.superstep.testkit.History.NONE;
import static dev.superstep.testkit.History.checkpoint;
import static dev.superstep.testkit.History.entry;
import static dev.superstep.testkit.History.hold;
import static dev.superstep.testkit.History.items;
import static dev.superstep.testkit.History.json;
import static dev.superstep.testkit.History.naming;
import static dev.superstep.testkit.History.whole;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.Memory;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.ThreadQuery;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests of deleting threads and checkpoints. Part of [CheckpointerSuite].
@Tag("T94")
public interface ThreadRemovalSuite extends StoreUnderTest {
  // --- Threads ---

  @Test
  default void a_deleted_thread_leaves_nothing(CompleteCheckpointer store) {
    store.needs(
        CheckpointerCapability.ThreadListing.class, CheckpointerCapability.EventJournal.class);
    var history = History.of(store);
    history.commit(whole("a", 1, "1"), items("list", 1, 0, json("1")));
    history.commit(items("list", 2, 1, json("2")));
    saveAll(store, history.lease(), LINEAGE, "c1");
    var inside = new Lineage("thread", "g/2/t");
    History.of(store, history.lease(), inside).commit();
    var other = history(store, "other");
    other.commit(whole("a", 1, "7"));
    store.delete(history.lease());
    assertThat(store.latest(LINEAGE)).isEmpty();
    assertThat(store.threads(ThreadQuery.newest(9))).hasSize(1);
    for (var lineage : List.of(LINEAGE, inside)) {
      assertThat(store.latest(lineage)).isEmpty();
      assertThat(store.byId(lineage, "c0")).isEmpty();
      assertThat(store.page(lineage, Optional.empty(), 9)).isEmpty();
    }
    assertThat(store.tasks(LINEAGE, "c1")).isEmpty();
    assertThat(store.steps(LINEAGE, "c1")).isEmpty();
    assertThat(store.answers(LINEAGE, "c1")).isEmpty();
    assertThat(store.entries("thread", 0, 9, EntryFilter.all())).isEmpty();
    assertThat(store.lastOffset("thread")).isZero();
    other.agrees();
    // The name can be used again, as if for the first time.
    var again = History.of(store);
    again.commit(items("list", 1, 0, json("5")));
    again.agrees();
    store.append(again.lease(), List.of(entry("run", "kind")));
    assertThat(store.lastOffset("thread")).isEqualTo(1);
  }

  @Test
  default void a_fork_stays_whole_when_its_source_is_deleted(CompleteCheckpointer store) {
    store.needs(
        CheckpointerCapability.ThreadListing.class, CheckpointerCapability.ThreadForks.class);
    var history = History.of(store);
    var copy = forked(store, history);
    store.delete(history.lease());
    copy.agrees();
    copy.commit(items("list", 9, 3, json("9")), items("log", 9, 1, json("8")));
    copy.agrees();
    store.delete(copy.lease());
    assertThat(store.threads(ThreadQuery.newest(9))).isEmpty();
  }

  @Test
  default void a_source_stays_whole_when_its_fork_is_deleted(CompleteCheckpointer store) {
    store.needs(CheckpointerCapability.ThreadForks.class);
    var history = History.of(store);
    var copy = forked(store, history);
    copy.commit(items("list", 9, 3, json("9")), whole("a", 9, "9"));
    store.delete(copy.lease());
    history.agrees();
    history.commit(items("list", 9, 5, json("9")), items("log", 9, 2, json("8")));
    history.agrees();
  }

  /// A copy of a thread that has continued since.
  private static History forked(CompleteCheckpointer store, History history) {
    history.commit(whole("a", 1, "1"), items("list", 1, 0, json("1"), json("2"), json("3")));
    history.commit(items("list", 2, 2, json("4")), items("log", 2, 0, json("1")));
    var lease = hold(store, "copy");
    assertThat(store.copy(lease, "thread")).isTrue();
    var copy = history.in(Lineage.of("copy"), lease);
    history.commit(items("list", 3, 3, json("5"), json("6")), items("log", 3, 1, json("2")));
    return copy;
  }

  // --- Runs ---

  @Test
  default void a_deleted_run_leaves_neither_checkpoints_nor_entries(CompleteCheckpointer store) {
    store.needs(
        CheckpointerCapability.ThreadListing.class, CheckpointerCapability.EventJournal.class);
    var history = History.of(store);
    var lease = history.lease();
    history.commitAs("run-1", items("list", 1, 0, json("1")));
    history.commitAs("run-2", items("list", 2, 1, json("2")));
    history.commitAs("run-1", items("list", 3, 2, json("3")));
    history.commitAs("run-2", items("list", 4, 3, json("4")));
    var inside = new Lineage("thread", "g/2/t");
    History.of(store, lease, inside).commitAs("run-2");
    saveAll(store, lease, LINEAGE, "c1");
    store.append(lease, List.of(entry("run-1", "a"), entry("run-2", "b"), entry("run-1", "c")));
    assertThat(store.deleteRun(lease, "run-2", Set.of())).isEqualTo(2);
    assertThat(ids(store, LINEAGE)).containsExactly("c2", "c0");
    assertThat(store.latest(LINEAGE).orElseThrow().checkpoint().id()).isEqualTo("c2");
    assertThat(History.values(store.latest(LINEAGE).orElseThrow()).toString())
        .contains("[1, 2, 3]");
    assertThat(store.page(inside, Optional.empty(), 9)).isEmpty();
    assertThat(store.tasks(LINEAGE, "c1")).isEmpty();
    assertThat(store.steps(LINEAGE, "c1")).isEmpty();
    assertThat(store.answers(LINEAGE, "c1")).isEmpty();
    // saveAll told one entry of another run.
    assertThat(store.entries("thread", 0, 9, EntryFilter.all()))
        .extracting(Entry::offset)
        .containsExactly(1L, 2L, 4L);
    assertThat(store.entries("thread", 2, 9, EntryFilter.all()))
        .extracting(Entry::offset)
        .containsExactly(4L);
    assertThat(store.lastOffset("thread")).isEqualTo(4);
    assertThat(store.threads(ThreadQuery.newest(9).writtenBy("run-2"))).isEmpty();
    assertThat(store.threads(ThreadQuery.newest(9).writtenBy("run-1"))).hasSize(1);
    var next = new Commit(LINEAGE, checkpoint("n", Optional.of("c2"), 4), List.of());
    assertThat(store.commit(lease, next)).isTrue();
    assertThat(store.deleteRun(lease, "unknown", Set.of())).isZero();
  }

  @Test
  default void a_thread_whose_only_run_is_deleted_is_unlisted_but_keeps_its_lease(
      CompleteCheckpointer store) {
    store.needs(CheckpointerCapability.EventJournal.class);
    var history = History.of(store);
    history.commitAs("run-1", whole("a", 1, "1"));
    store.append(history.lease(), List.of(entry("run-1", "kind")));
    assertThat(store.deleteRun(history.lease(), "run-1", Set.of())).isEqualTo(1);
    assertThat(store.latest(LINEAGE)).isEmpty();
    assertThat(store.latest(LINEAGE)).isEmpty();
    store.append(history.lease(), List.of(entry("run-2", "kind")));
    assertThat(store.lastOffset("thread")).isEqualTo(2);
    var first = new Commit(LINEAGE, checkpoint("n", Optional.empty(), 0), List.of());
    assertThat(store.commit(history.lease(), first)).isTrue();
  }

  // --- Old checkpoints ---

  @Test
  default void after_pruning_the_newest_checkpoints_are_complete(CompleteCheckpointer store) {
    store.needs(CheckpointerCapability.EventJournal.class);
    var history = History.of(store);
    var lease = history.lease();
    history.commit(whole("a", 1, "1"), items("list", 1, 0, json("1")), whole("b", 1, "1"));
    history.commit(whole("a", 2, "2"), items("list", 2, 1, json("2")));
    history.commit(items("list", 3, 1, json("3")));
    history.commit(whole("a", 4, "4"), items("list", 4, 2, json("4")));
    for (int i = 0; i < 4; i++) saveAll(store, lease, LINEAGE, "c" + i);
    var kept = values(store, "c2");
    var newest = values(store, "c3");
    assertThat(store.prune(lease, Prune.keepLast(2))).isEqualTo(2);
    assertThat(ids(store, LINEAGE)).containsExactly("c3", "c2");
    assertThat(values(store, "c2")).isEqualTo(kept);
    assertThat(values(store, "c3")).isEqualTo(newest);
    assertThat(store.byId(LINEAGE, "c1")).isEmpty();
    assertThat(store.tasks(LINEAGE, "c1")).isEmpty();
    assertThat(store.steps(LINEAGE, "c1")).isEmpty();
    assertThat(store.answers(LINEAGE, "c1")).isEmpty();
    assertThat(store.tasks(LINEAGE, "c2")).hasSize(1);
    assertThat(store.steps(LINEAGE, "c2")).hasSize(1);
    assertThat(store.answers(LINEAGE, "c2")).hasSize(1);
    assertThat(store.lastOffset("thread")).isEqualTo(4);
    assertThat(store.prune(lease, Prune.keepLast(2))).isZero();
    assertThat(store.prune(lease, Prune.keepLast(1))).isEqualTo(1);
    var changes = List.of(items("list", 5, 3, json("5")));
    var next = new Commit(LINEAGE, checkpoint("c4", Optional.of("c3"), 4), changes);
    assertThat(store.commit(lease, next)).isTrue();
    assertThat(values(store, "c4").toString()).contains("[1, 3, 4, 5]");
  }

  @Test
  default void only_older_checkpoints_are_pruned(CompleteCheckpointer store) {
    var history = History.of(store);
    for (int i = 0; i < 5; i++) history.commit();
    var time = store.byId(LINEAGE, "c2").orElseThrow().checkpoint().at();
    assertThat(store.prune(history.lease(), Prune.keepLast(4).olderThan(time))).isEqualTo(1);
    assertThat(store.prune(history.lease(), Prune.keepLast(1).olderThan(time))).isEqualTo(1);
    assertThat(ids(store, LINEAGE)).containsExactly("c4", "c3", "c2");
    var all = Prune.keepLast(1).olderThan(Instant.MAX);
    assertThat(store.prune(history.lease(), all)).isEqualTo(2);
    assertThat(ids(store, LINEAGE)).containsExactly("c4");
  }

  @Test
  default void pruning_keeps_the_newest_checkpoint_of_each_memory(CompleteCheckpointer store) {
    store.needs(CheckpointerCapability.ThreadForks.class);
    var history = History.of(store);
    var old = Lineage.remembered("thread", List.of("old"));
    var memory = History.of(store, history.lease(), old);
    for (int i = 0; i < 3; i++) {
      memory.commit(whole("m", i, "" + i));
      history.commit();
    }
    assertThat(store.prune(history.lease(), Prune.keepLast(2))).isEqualTo(2);
    assertThat(ids(store, LINEAGE)).containsExactly("c2", "c1");
    assertThat(ids(store, old)).containsExactly("~/oldc2", "~/oldc1");
    assertThat(History.values(store.latest(old).orElseThrow())).isEqualTo(memory.values());
    // The newest is the one that was gone back to.
    var made = naming(checkpoint("f", Optional.of("c1"), 3), Memories.UNNAMED);
    var fork = new Fork(LINEAGE, "c1", LINEAGE, made, NONE);
    assertThat(store.fork(history.lease(), fork)).isTrue();
    assertThat(store.prune(history.lease(), Prune.keepLast(1))).isEqualTo(2);
    assertThat(ids(store, old)).containsExactly("~/oldc2", "~/oldc1");
    assertThat(store.latest(old).orElseThrow().checkpoint().id()).isEqualTo("~/oldc1");
  }

  @Test
  default void memories_named_by_a_checkpoint_stay_with_all_memories_that_they_name(
      CompleteCheckpointer store) {
    var history = History.of(store);
    var lease = history.lease();
    var deep = Lineage.ofMemory("thread", "g/1/a@");
    var inner = History.of(store, lease, deep);
    for (int i = 0; i < 3; i++) inner.commit(whole("m", i, "" + i));
    var outer = Lineage.ofMemory("thread", "g/1/b@");
    var below = named(deep, deep.namespace() + "c0");
    commit(store, lease, outer, naming(checkpoint("o0", Optional.empty(), 0), below));
    commit(store, lease, outer, checkpoint("o1", Optional.of("o0"), 1));
    commit(store, lease, outer, checkpoint("o2", Optional.of("o1"), 2));
    var named = named(outer, "o0");
    commit(store, lease, checkpoint("k0", Optional.empty(), 0));
    commit(store, lease, naming(checkpoint("k1", Optional.of("k0"), 1), named));
    assertThat(store.prune(lease, Prune.keepLast(1))).isEqualTo(3);
    assertThat(ids(store, outer)).containsExactly("o2", "o0");
    assertThat(ids(store, deep)).containsExactly(deep.namespace() + "c2", deep.namespace() + "c0");
    // So it is with what a run wrote, and with what is named in another store.
    var far = Set.of(new Memory(deep.namespace(), deep.namespace() + "c2"));
    commit(store, lease, naming(checkpoint("k2", Optional.of("k1"), 2, "run-2"), named));
    assertThat(store.deleteRun(lease, "run", far)).isEqualTo(1);
    assertThat(ids(store, LINEAGE)).containsExactly("k2");
    assertThat(ids(store, outer)).containsExactly("o0");
    assertThat(ids(store, deep)).containsExactly(deep.namespace() + "c2", deep.namespace() + "c0");
  }

  private static Memories named(Lineage lineage, String checkpoint) {
    return Memories.NONE.with(Map.of("n", new Memory(lineage.namespace(), checkpoint)));
  }

  @Test
  default void graphs_inside_of_tasks_go_with_the_checkpoint_from_which_those_ran(
      CompleteCheckpointer store) {
    store.needs(CheckpointerCapability.EventJournal.class);
    var history = History.of(store);
    var lease = history.lease();
    for (int i = 0; i < 3; i++) history.commit();
    var inside = new Lineage("thread", "g/1/t");
    History.of(store, lease, inside).commit(whole("x", 1, "1"));
    var deeper = new Lineage("thread", "g/1/tg/1/u");
    History.of(store, lease, deeper).commit();
    var newest = new Lineage("thread", "g/3/t");
    History.of(store, lease, newest).commit();
    // A checkpoint that is still to come may have tasks already.
    var ahead = new Lineage("thread", "g/4/t");
    History.of(store, lease, ahead).commit();
    saveAll(store, lease, new Lineage("thread", "g/5/t"), "x");
    assertThat(store.prune(lease, Prune.keepLast(1))).isEqualTo(4);
    assertThat(store.latest(inside)).isEmpty();
    assertThat(store.latest(deeper)).isEmpty();
    assertThat(ids(store, newest)).hasSize(1);
    assertThat(ids(store, ahead)).hasSize(1);
    assertThat(store.tasks(new Lineage("thread", "g/5/t"), "x")).hasSize(1);
  }

  @Test
  default void a_task_that_moved_to_another_checkpoint_keeps_its_subgraph(
      CompleteCheckpointer store) {
    var history = History.of(store);
    var lease = history.lease();
    history.commit();
    var inside = new Lineage("thread", "g/1/t");
    var within = History.of(store, lease, inside);
    within.commit(whole("x", 1, "1"));
    var due = new PendingNode("n", new Activation.Entry(), Optional.empty(), Optional.of("g/1/t"));
    commit(store, lease, with(checkpoint("c1", Optional.of("c0"), 1), due));
    assertThat(store.prune(lease, Prune.keepLast(1))).isEqualTo(1);
    within.agrees();
    // When nobody has the task any more, it goes.
    commit(store, lease, checkpoint("c2", Optional.of("c1"), 2));
    assertThat(store.prune(lease, Prune.keepLast(1))).isEqualTo(2);
    assertThat(store.latest(inside)).isEmpty();
  }

  private static void commit(CompleteCheckpointer store, Lease lease, Checkpoint checkpoint) {
    commit(store, lease, LINEAGE, checkpoint);
  }

  private static void commit(
      CompleteCheckpointer store, Lease lease, Lineage lineage, Checkpoint checkpoint) {
    assertThat(store.commit(lease, new Commit(lineage, checkpoint, List.of()))).isTrue();
  }

  private static Checkpoint with(Checkpoint one, PendingNode due) {
    return new Checkpoint(
        one.format(),
        one.id(),
        one.parent(),
        one.generation(),
        one.step(),
        one.source(),
        one.at(),
        one.run(),
        one.graph(),
        one.graphHash(),
        Progress.of(List.of(due)),
        Map.of());
  }

  @Test
  default void pruning_one_of_two_threads_that_share_values_leaves_the_other_whole(
      CompleteCheckpointer store) {
    store.needs(CheckpointerCapability.ThreadForks.class);
    var history = History.of(store);
    var copy = forked(store, history);
    copy.commit(items("list", 9, 3, json("7")), items("log", 9, 1, json("7")));
    assertThat(store.prune(history.lease(), Prune.keepLast(1))).isEqualTo(2);
    copy.agrees();
    var newest = History.values(store.latest(LINEAGE).orElseThrow());
    assertThat(newest).isEqualTo(history.values());
    assertThat(store.prune(copy.lease(), Prune.keepLast(1))).isEqualTo(2);
    assertThat(History.values(store.latest(LINEAGE).orElseThrow())).isEqualTo(newest);
    assertThat(History.values(store.latest(copy.lineage()).orElseThrow())).isEqualTo(copy.values());
  }

  @Test
  default void a_store_can_be_made_smaller_while_it_is_used(CompleteCheckpointer store) {
    store.compact();
    var history = History.of(store);
    for (int i = 0; i < 20; i++) history.commit(whole("a", i, "\"" + "x".repeat(9_000) + "\""));
    var other = history(store, "other");
    other.commit(whole("a", 1, "1"));
    store.delete(history.lease());
    store.compact();
    other.agrees();
    other.commit(whole("a", 2, "2"));
    other.agrees();
  }

  /// Something of each kind that hangs on a checkpoint.
  private static void saveAll(
      CompleteCheckpointer store, Lease lease, Lineage lineage, String checkpoint) {
    var task = new TaskRecord("t", "n", new End.Failed("code", "why"));
    store.saveTask(lease, lineage, checkpoint, task, List.of(entry("run", "kind")));
    store.saveStep(lease, lineage, checkpoint, new StepRecord("t", "mail", json("1")));
    store.answer(lease, lineage, checkpoint, List.of(new Answer("q", json("1"))), NONE);
  }

  private static History history(CompleteCheckpointer store, String thread) {
    return History.of(store, hold(store, thread), Lineage.of(thread));
  }

  private static List<String> ids(CompleteCheckpointer store, Lineage lineage) {
    return store.page(lineage, Optional.empty(), 99).stream().map(Checkpoint::id).toList();
  }

  private static Object values(CompleteCheckpointer store, String id) {
    return store.byId(LINEAGE, id).map(History::values).orElseThrow();
  }
}
