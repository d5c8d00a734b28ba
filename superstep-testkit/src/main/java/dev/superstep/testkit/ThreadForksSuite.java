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

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadSummary;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Forks and copies of threads, as every [CheckpointerCapability.ThreadForks] must make them.
@Tag("T94")
public interface ThreadForksSuite extends StoreUnderTest {
  // --- Forks ---

  @Test
  @Tag("T95")
  default void a_fork_in_a_thread_becomes_its_newest_checkpoint_and_changes_nothing_else(
      CompleteCheckpointer store) {
    var history = History.of(store);
    history.commit(whole("a", 1, "1"), items("list", 1, 0, json("1")));
    history.commit(whole("a", 2, "2"), items("list", 2, 1, json("2")));
    history.commit(whole("a", 3, "3"), items("list", 3, 2, json("3")));
    var made = checkpoint("f", Optional.of("c0"), 1);
    var fork = new Fork(LINEAGE, "c0", LINEAGE, made, store.entries(entry("run", "forked")));
    assertThat(store.fork(history.lease(), fork)).isTrue();
    assertThat(store.latest(LINEAGE).orElseThrow().checkpoint()).isEqualTo(made);
    assertThat(values(store, LINEAGE, "f")).isEqualTo(values(store, LINEAGE, "c0"));
    assertThat(store.entryCount("thread")).isEqualTo(fork.journal().size());
    assertThat(ids(store, LINEAGE)).containsExactly("f", "c2", "c1", "c0");
    // The list goes on from where the older one was, and the newer ones are what they were.
    var changes = List.of(items("list", 4, 1, json("9")), whole("a", 4, "9"));
    var next = new Commit(LINEAGE, checkpoint("g", Optional.of("f"), 2), changes);
    assertThat(store.commit(history.lease(), next)).isTrue();
    assertThat(values(store, LINEAGE, "g").toString()).contains("[1, 9]");
    assertThat(values(store, LINEAGE, "c2").toString()).contains("[1, 2, 3]");
    assertThat(values(store, LINEAGE, "c0").toString()).contains("[1]");
  }

  @Test
  @Tag("T95")
  default void a_fork_to_another_thread_shares_the_past_and_not_the_future(
      CompleteCheckpointer store) {
    var history = History.of(store);
    history.commit(whole("a", 1, "1"), items("list", 1, 0, json("1")), whole("b", 1, "2"));
    history.commit(items("list", 2, 1, json("2")));
    var copied = values(store, LINEAGE, "c1");
    var lease = hold(store, "copy");
    var target = Lineage.of("copy");
    var made = checkpoint("f", Optional.of("c1"), 2);
    assertThat(store.fork(lease, new Fork(LINEAGE, "c1", target, made, NONE))).isTrue();
    assertThat(values(store, target, "f")).isEqualTo(copied);
    assertThat(ids(store, target)).containsExactly("f");
    var changes = List.of(items("list", 3, 2, json("8")), whole("a", 3, "8"));
    var next = new Commit(target, checkpoint("g", Optional.of("f"), 3), changes);
    assertThat(store.commit(lease, next)).isTrue();
    history.commit(items("list", 3, 2, json("3")), whole("b", 3, "3"));
    history.commit(items("list", 4, 3, json("4")));
    history.agrees();
    assertThat(values(store, target, "f")).isEqualTo(copied);
    assertThat(values(store, target, "g").toString()).contains("[1, 2, 8]").contains("value=8");
    // One who forks the fork begins where that ended.
    var third = hold(store, "third");
    var last = checkpoint("h", Optional.of("g"), 4);
    var again = new Fork(target, "g", Lineage.of("third"), last, NONE);
    assertThat(store.fork(third, again)).isTrue();
    assertThat(values(store, Lineage.of("third"), "h")).isEqualTo(values(store, target, "g"));
  }

  @Test
  default void a_fork_is_refused_if_there_is_nothing_to_fork_or_the_target_is_not_empty(
      CompleteCheckpointer store) {
    var history = History.of(store);
    history.commit(whole("a", 1, "1"));
    var other = history(store, "other");
    var told = store.entries(entry("run", "forked"));
    var made = checkpoint("f", Optional.of("c0"), 1);
    assertThat(store.fork(history.lease(), new Fork(LINEAGE, "c9", LINEAGE, made, told))).isFalse();
    var unknown = new Fork(Lineage.of("unknown"), "c0", other.lineage(), made, told);
    assertThat(store.fork(other.lease(), unknown)).isFalse();
    assertThat(store.latest(Lineage.of("other"))).isEmpty();
    other.commit(whole("a", 1, "5"));
    assertThat(store.fork(other.lease(), new Fork(LINEAGE, "c0", other.lineage(), made, told)))
        .isFalse();
    var taken = checkpoint("c0", Optional.of("c0"), 1);
    assertThat(store.fork(history.lease(), new Fork(LINEAGE, "c0", LINEAGE, taken, told)))
        .isFalse();
    history.agrees();
    other.agrees();
    assertThat(store.entryCount("thread")).isZero();
    assertThat(store.entryCount("other")).isZero();
  }

  // Of threads that were begun in format 1, whose checkpoints name no memories.

  @Test
  default void a_fork_has_the_memories_of_its_checkpoint(CompleteCheckpointer store) {
    var history = History.of(store);
    var old = Lineage.remembered("thread", List.of("old"));
    var late = Lineage.remembered("thread", List.of("late"));
    history.commit();
    var memory = History.of(store, history.lease(), old);
    memory.commit(whole("m", 1, "1"));
    history.commit();
    memory.commit(whole("m", 2, "2"));
    History.of(store, history.lease(), late).commit(whole("m", 1, "1"));
    history.commit();

    var copy = hold(store, "copy");
    var elsewhere = unnamed(checkpoint("f", Optional.of("c1"), 2));
    store.fork(copy, new Fork(LINEAGE, "c1", Lineage.of("copy"), elsewhere, NONE));
    assertThat(ids(store, Lineage.remembered("copy", List.of("old")))).containsExactly("~/oldc0");
    assertThat(ids(store, Lineage.remembered("copy", List.of("late")))).isEmpty();

    fork(store, history, "c1", "g");
    assertThat(newest(store, old)).contains("~/oldc0");
    assertThat(ids(store, old)).containsExactly("~/oldc1", "~/oldc0");
    assertThat(store.latest(late)).isEmpty();
    // What it remembers goes on from there.
    var next = checkpoint("m", Optional.of("~/oldc0"), 1);
    assertThat(store.commit(history.lease(), new Commit(old, next, List.of()))).isTrue();
    var anew = checkpoint("n", Optional.empty(), 0);
    assertThat(store.commit(history.lease(), new Commit(late, anew, List.of()))).isTrue();
  }

  @Test
  default void undoing_a_rewind_restores_a_memory_that_began_later(CompleteCheckpointer store) {
    var history = History.of(store);
    var late = Lineage.remembered("thread", List.of("late"));
    history.commit();
    var memory = History.of(store, history.lease(), late);
    memory.commit(whole("m", 1, "1"), items("said", 1, 0, json("1")));
    history.commit();
    fork(store, history, "c0", "f");
    assertThat(store.latest(late)).isEmpty();
    fork(store, history, "c1", "g");
    assertThat(newest(store, late)).contains("~/latec0");
    memory.agrees();
    fork(store, history, "f", "h");
    assertThat(store.latest(late)).isEmpty();
  }

  @Test
  default void a_fork_of_a_fork_has_the_same_memories(CompleteCheckpointer store) {
    var history = History.of(store);
    var old = Lineage.remembered("thread", List.of("old"));
    var memory = History.of(store, history.lease(), old);
    memory.commit(whole("m", 1, "1"));
    history.commit();
    memory.commit(whole("m", 2, "2"));
    history.commit();
    fork(store, history, "c0", "f");
    fork(store, history, "c1", "g");
    assertThat(newest(store, old)).contains("~/oldc1");
    fork(store, history, "f", "h");
    assertThat(newest(store, old)).contains("~/oldc0");
  }

  @Test
  default void a_fork_that_names_its_memories_changes_none(CompleteCheckpointer store) {
    var history = History.of(store);
    var named = Lineage.remembered("thread", List.of("old"));
    var begun = Lineage.ofMemory("thread", "g/1/n@");
    history.commit();
    var memories = List.of(named, begun);
    for (var one : memories) History.of(store, history.lease(), one).commit(whole("m", 1, "1"));
    history.commit();
    var made = checkpoint("f", Optional.of("c0"), 9);
    assertThat(store.fork(history.lease(), new Fork(LINEAGE, "c0", LINEAGE, made, NONE))).isTrue();
    for (var one : memories) {
      assertThat(newest(store, one)).contains(one.namespace() + "c0");
    }
  }

  @Test
  default void a_memory_is_forked_as_any_lineage_in_the_thread_and_to_another_one(
      CompleteCheckpointer store) {
    var history = History.of(store);
    var begun = Lineage.ofMemory("thread", "g/1/n@");
    var memory = History.of(store, history.lease(), begun);
    memory.commit(whole("m", 1, "1"), items("said", 1, 0, json("1")));
    memory.commit(items("said", 2, 1, json("2")));
    var copy = hold(store, "copy");
    for (var target : List.of(Lineage.ofMemory("thread", "x"), Lineage.ofMemory("copy", "y"))) {
      var lease = target.thread().equals("copy") ? copy : history.lease();
      var from = begun.namespace() + "c0";
      var made = checkpoint("f", Optional.of(from), 9);
      var fork = new Fork(begun, from, target, made, NONE);
      assertThat(store.fork(lease, fork)).isTrue();
      assertThat(values(store, target, "f")).isEqualTo(values(store, begun, from));
      assertThat(store.fork(lease, fork)).isFalse();
      var next =
          new Commit(
              target,
              checkpoint("g", Optional.of("f"), 10),
              List.of(items("said", 3, 1, json("9"))));
      assertThat(store.commit(lease, next)).isTrue();
      assertThat(values(store, target, "g").toString()).contains("[1, 9]");
    }
    memory.agrees();
    // A thread with nothing but memories can still be made.
    history.commit();
    var made = checkpoint("h", Optional.of("c0"), 1);
    var root = new Fork(LINEAGE, "c0", Lineage.of("copy"), made, NONE);
    assertThat(store.fork(copy, root)).isTrue();
    assertThat(newest(store, Lineage.ofMemory("copy", "y"))).contains("g");
  }

  private static Checkpoint unnamed(Checkpoint made) {
    return naming(made, Memories.UNNAMED);
  }

  private static void fork(CompleteCheckpointer store, History history, String from, String made) {
    var checkpoint = unnamed(checkpoint(made, Optional.of(from), 9));
    var fork = new Fork(LINEAGE, from, LINEAGE, checkpoint, NONE);
    assertThat(store.fork(history.lease(), fork)).isTrue();
  }

  // --- Copies ---

  @Test
  default void a_copy_has_all_that_the_thread_had_but_its_journal(CompleteCheckpointer store) {
    store.needs(CheckpointerCapability.EventJournal.class);
    var history = History.of(store);
    history.commit(whole("a", 1, "1"), items("list", 1, 0, json("1")));
    history.commitAs("run-2", items("list", 2, 1, json("2")));
    var task = new TaskRecord("t", "n", new End.Failed("code", "why"));
    store.saveTask(history.lease(), LINEAGE, "c1", task, store.entries(entry("run", "k")));
    store.saveStep(history.lease(), LINEAGE, "c1", new StepRecord("t", "mail", json("1")));
    store.answer(history.lease(), LINEAGE, "c1", List.of(new Answer("q", json("1"))), NONE);
    var inside = History.of(store, history.lease(), new Lineage("thread", "g/2/t"));
    inside.commit(whole("b", 1, "1"));
    history(store, "later").commit();

    var lease = hold(store, "copy");
    assertThat(store.copy(lease, "thread")).isTrue();
    var target = Lineage.of("copy");
    var copy = history.in(target, lease);
    copy.agrees();
    inside.in(new Lineage("copy", "g/2/t"), lease).agrees();
    assertThat(store.page(target, Optional.empty(), 9))
        .isEqualTo(store.page(LINEAGE, Optional.empty(), 9));
    assertThat(store.tasks(target, "c1")).containsExactly(task);
    assertThat(store.steps(target, "c1")).hasSize(1);
    assertThat(store.answers(target, "c1")).hasSize(1);
    assertThat(store.entryCount("copy")).isZero();
    if (store.can(CheckpointerCapability.ThreadListing.class)) {
      assertThat(store.threads(ThreadQuery.newest(9).writtenBy("run-2")))
          .extracting(ThreadSummary::thread)
          .containsExactly("copy", "thread");
    }
    // From now on they go different ways.
    copy.commit(items("list", 3, 2, json("8")), whole("a", 3, "8"));
    history.commit(items("list", 3, 2, json("3")));
    history.agrees();
    copy.agrees();
  }

  @Test
  default void a_copy_is_refused_if_there_is_nothing_to_copy_or_the_target_is_not_empty(
      CompleteCheckpointer store) {
    var history = History.of(store);
    var other = history(store, "other");
    assertThat(store.copy(other.lease(), "unknown")).isFalse();
    assertThat(store.copy(other.lease(), "thread")).isFalse();
    history.commit();
    other.commit(whole("a", 1, "1"));
    assertThat(store.copy(other.lease(), "thread")).isFalse();
    assertThat(store.copy(other.lease(), "other")).isFalse();
    other.agrees();
  }

  @Test
  default void a_copy_can_be_forked_as_its_original_can(CompleteCheckpointer store) {
    var history = History.of(store);
    var old = Lineage.remembered("thread", List.of("old"));
    var memory = History.of(store, history.lease(), old);
    memory.commit(whole("m", 1, "1"));
    history.commit();
    memory.commit(whole("m", 2, "2"));
    history.commit();
    fork(store, history, "c0", "f");
    var lease = hold(store, "copy");
    assertThat(store.copy(lease, "thread")).isTrue();
    var copied = Lineage.remembered("copy", List.of("old"));
    var target = Lineage.of("copy");
    assertThat(newest(store, copied)).contains("~/oldc0");
    var made = unnamed(checkpoint("g", Optional.of("c1"), 9));
    assertThat(store.fork(lease, new Fork(target, "c1", target, made, NONE))).isTrue();
    assertThat(newest(store, copied)).contains("~/oldc1");
    var last = unnamed(checkpoint("h", Optional.of("f"), 9));
    assertThat(store.fork(lease, new Fork(target, "f", target, last, NONE))).isTrue();
    assertThat(newest(store, copied)).contains("~/oldc0");
  }

  private static History history(CompleteCheckpointer store, String thread) {
    return History.of(store, hold(store, thread), Lineage.of(thread));
  }

  private static List<String> ids(CompleteCheckpointer store, Lineage lineage) {
    return store.page(lineage, Optional.empty(), 99).stream().map(Checkpoint::id).toList();
  }

  private static Optional<String> newest(CompleteCheckpointer store, Lineage lineage) {
    return store.latest(lineage).map(Saved::checkpoint).map(Checkpoint::id);
  }

  private static Object values(CompleteCheckpointer store, Lineage lineage, String id) {
    return store.byId(lineage, id).map(History::values).orElseThrow();
  }
}
