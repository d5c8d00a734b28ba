package dev.superstep.testkit;

import static dev.superstep.testkit.History.LINEAGE;
import static dev.superstep.testkit.History.NONE;
import static dev.superstep.testkit.History.checkpoint;
import static dev.superstep.testkit.History.cleared;
import static dev.superstep.testkit.History.items;
import static dev.superstep.testkit.History.json;
import static dev.superstep.testkit.History.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.ForkOrigin;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.Memory;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Checkpoints and the values of their channels, as every [Checkpointer] must keep them. Part of
/// [CheckpointerSuite].
public interface CheckpointsSuite extends StoreUnderTest {
  // --- Checkpoints ---

  @Test
  default void an_unknown_thread_has_nothing(Checkpointer store) {
    assertThat(store.latest(LINEAGE)).isEmpty();
    assertThat(store.byId(LINEAGE, "c1")).isEmpty();
    assertThat(store.page(LINEAGE, Optional.empty(), 10)).isEmpty();
    assertThat(store.tasks(LINEAGE, "c1")).isEmpty();
    assertThat(store.steps(LINEAGE, "c1")).isEmpty();
    assertThat(store.answers(LINEAGE, "c1")).isEmpty();
  }

  @Test
  default void a_checkpoint_reads_back_unchanged(Checkpointer store) {
    var lease = History.hold(store, LINEAGE.thread());
    var next =
        List.of(
            new PendingNode("read", new Activation.Entry(), Optional.empty()),
            new PendingNode("judge", new Activation.Sent("plan"), Optional.of(json("{\"n\":1}"))),
            new PendingNode(
                "judge",
                new Activation.Sent("plan"),
                Optional.of(json("{\"n\":2}")),
                Optional.of("a task"),
                Optional.of(Duration.ofMillis(1_500))));
    var first =
        new Checkpoint(
            Checkpoint.FORMAT,
            "c0",
            Optional.empty(),
            "generation-1",
            0,
            Checkpoint.Source.INPUT,
            Instant.parse("2026-03-01T10:15:30.123456789Z"),
            "run-1",
            "desk",
            "abc",
            new Progress(
                next,
                List.of(new PendingNode("last", new Activation.Edge("a"), Optional.empty())),
                Map.of("join", Set.of("left", "right")),
                Map.of("gated", Map.of("notes", 3L)),
                List.of("plan", "read"),
                Map.of("plan", List.of("judge")),
                new Memories(
                    Map.of("help", new Memory("~c0/1/help@", "m1")), Set.of("far/off"), false),
                Optional.empty()),
            Map.of("user", "Zoë"));
    assertThat(store.commit(lease, new Commit(LINEAGE, first, List.of()))).isTrue();
    assertThat(store.latest(LINEAGE).orElseThrow().checkpoint()).isEqualTo(first);
    assertThat(store.byId(LINEAGE, "c0").orElseThrow().checkpoint()).isEqualTo(first);
    assertThat(store.byId(LINEAGE, "c1")).isEmpty();
  }

  @Test
  @Tag("E17")
  default void the_latest_is_the_last_committed(Checkpointer store) {
    var history = History.of(store);
    history.commit(whole("a", 1, "1"));
    history.commit(whole("a", 2, "2"));
    assertThat(store.latest(LINEAGE).orElseThrow().checkpoint().id()).isEqualTo("c1");
    assertThat(store.latest(LINEAGE).orElseThrow().checkpoint().parent()).contains("c0");
  }

  @Test
  default void pages_run_from_the_newest_to_the_oldest(Checkpointer store) {
    var history = History.of(store);
    for (int i = 0; i < 7; i++) history.commit();
    assertThat(ids(store.page(LINEAGE, Optional.empty(), 3))).containsExactly("c6", "c5", "c4");
    assertThat(ids(store.page(LINEAGE, Optional.of("c4"), 3))).containsExactly("c3", "c2", "c1");
    assertThat(ids(store.page(LINEAGE, Optional.of("c1"), 3))).containsExactly("c0");
    assertThat(store.page(LINEAGE, Optional.of("c0"), 3)).isEmpty();
    assertThat(store.page(LINEAGE, Optional.of("unknown"), 3)).isEmpty();
  }

  @Test
  @Tag("T94")
  default void pages_of_a_history_may_be_narrowed_by_metadata(Checkpointer store) {
    var lease = History.hold(store, LINEAGE.thread());
    Optional<String> parent = Optional.empty();
    for (int i = 0; i < 12; i++) {
      var one = checkpoint("c" + i, parent, i);
      var metadata = Map.of("kind", i % 3 == 0 ? "third" : "other", "number", "" + i);
      var made = with(one, metadata, one.progress());
      assertThat(store.commit(lease, new Commit(LINEAGE, made, List.of()))).isTrue();
      parent = Optional.of(one.id());
    }
    var third = Map.of("kind", "third");
    assertThat(ids(store.page(LINEAGE, third, Optional.empty(), 2))).containsExactly("c9", "c6");
    assertThat(ids(store.page(LINEAGE, third, Optional.of("c6"), 2))).containsExactly("c3", "c0");
    assertThat(ids(store.page(LINEAGE, third, Optional.of("c7"), 9)))
        .containsExactly("c6", "c3", "c0");
    assertThat(store.page(LINEAGE, third, Optional.of("c0"), 2)).isEmpty();
    assertThat(store.page(LINEAGE, third, Optional.of("unknown"), 2)).isEmpty();
    var both = Map.of("kind", "third", "number", "6");
    assertThat(ids(store.page(LINEAGE, both, Optional.empty(), 2))).containsExactly("c6");
    assertThat(store.page(LINEAGE, Map.of("kind", "no"), Optional.empty(), 2)).isEmpty();
    assertThat(store.page(LINEAGE, Map.of(), Optional.empty(), 99)).hasSize(12);
  }

  @Test
  @Tag("T94")
  default void a_fork_reads_back_with_its_origin(Checkpointer store) {
    var lease = History.hold(store, LINEAGE.thread());
    var one = checkpoint("c0", Optional.empty(), 0);
    Optional<String> parent = Optional.empty();
    for (var kind : ForkOrigin.Kind.values()) {
      var origin = new ForkOrigin(kind, new Lineage("another", "g/1/t"), "c7");
      var at = checkpoint(kind.name(), parent, 0);
      var made = with(at, Map.of(), one.progress().from(origin));
      assertThat(store.commit(lease, new Commit(LINEAGE, made, List.of()))).isTrue();
      assertThat(store.latest(LINEAGE).orElseThrow().checkpoint().origin()).contains(origin);
      assertThat(store.page(LINEAGE, Optional.empty(), 1).getFirst()).isEqualTo(made);
      parent = Optional.of(at.id());
    }
  }

  private static Checkpoint with(Checkpoint one, Map<String, String> metadata, Progress progress) {
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
        progress,
        metadata);
  }

  @Test
  default void only_the_newest_checkpoint_can_be_built_on(Checkpointer store) {
    var history = History.of(store);
    history.commit(whole("a", 1, "1"));
    history.commit(whole("a", 2, "2"));
    var change = List.of(whole("a", 3, "3"));
    var late = new Commit(LINEAGE, checkpoint("late", Optional.of("c0"), 1), change);
    var root = new Commit(LINEAGE, checkpoint("root", Optional.empty(), 0), change);
    var orphan = new Commit(LINEAGE, checkpoint("orphan", Optional.of("c9"), 9), change);
    assertThat(store.commit(history.lease(), late)).isFalse();
    assertThat(store.commit(history.lease(), root)).isFalse();
    assertThat(store.commit(history.lease(), orphan)).isFalse();
    history.agrees();
    assertThat(store.byId(LINEAGE, "late")).isEmpty();
  }

  @Test
  default void of_many_concurrent_commits_one_wins(Checkpointer store) throws Exception {
    var history = History.of(store);
    var lease = history.lease();
    history.commit();
    var results =
        ConcurrentCalls.run(
            20,
            i ->
                store.commit(
                    lease,
                    new Commit(LINEAGE, checkpoint("x" + i, Optional.of("c0"), 1), List.of())));
    assertThat(results).containsOnlyOnce(true);
    assertThat(store.page(LINEAGE, Optional.empty(), 100)).hasSize(2);
  }

  @Test
  default void lineages_do_not_see_each_other(Checkpointer store) {
    var lease = History.hold(store, LINEAGE.thread());
    var others = List.of(Lineage.of("other"), new Lineage(LINEAGE.thread(), "sub"));
    var histories =
        List.of(
            History.of(store, lease, LINEAGE),
            History.of(store, History.hold(store, "other"), others.get(0)),
            History.of(store, lease, others.get(1)));
    for (int i = 0; i < 3; i++) {
      for (var history : histories) {
        var word = json("\"" + history.lineage() + i + "\"");
        history.commit(items("list", i, i, word), whole("a", i, word.text()));
      }
    }
    histories.forEach(History::agrees);
    store.saveTask(
        lease,
        LINEAGE,
        "c0",
        new TaskRecord("t", "n", new TaskRecord.End.Failed("code", "no")),
        NONE);
    store.saveStep(lease, LINEAGE, "c0", new StepRecord("t", "mail", json("1")));
    store.answer(lease, LINEAGE, "c0", List.of(new Answer("q", json("1"))), NONE);
    for (var other : others) {
      assertThat(store.steps(other, "c0")).isEmpty();
      assertThat(store.tasks(other, "c0")).isEmpty();
      assertThat(store.answers(other, "c0")).isEmpty();
    }
  }

  // --- Channels ---

  @Test
  default void a_channel_that_did_not_change_keeps_value_and_version(Checkpointer store) {
    var history = History.of(store);
    history.commit(whole("a", 1, "1"), items("list", 1, 0, json("1")), whole("b", 1, "null"));
    history.commit(whole("a", 2, "2"));
    history.commit();
    history.agrees();
  }

  @Test
  default void a_list_can_grow_be_cut_and_grow_again(Checkpointer store) {
    var history = History.of(store);
    history.commit(items("list", 1, 0, json("1"), json("2"), json("3")));
    history.commit(items("list", 2, 3, json("4")));
    history.commit(items("list", 3, 2));
    history.commit(items("list", 4, 2, json("5"), json("6")));
    history.commit(items("list", 5, 4, json("7")));
    history.commit(items("list", 6, 0));
    history.commit(items("list", 7, 0, json("8")));
    history.agrees();
  }

  @Test
  default void a_list_may_be_empty_from_the_start(Checkpointer store) {
    var history = History.of(store);
    history.commit(items("list", 1, 0));
    history.commit(items("list", 2, 0, json("1")));
    history.agrees();
  }

  @Test
  default void a_value_may_turn_into_a_list_and_back(Checkpointer store) {
    var history = History.of(store);
    history.commit(whole("a", 1, "[1,2]"));
    history.commit(items("a", 2, 0, json("1"), json("2")));
    history.commit(whole("a", 3, "{}"));
    history.commit(items("a", 4, 0, json("3")));
    history.commit(items("a", 5, 1, json("4")));
    history.agrees();
  }

  @Test
  default void a_cleared_channel_keeps_its_version_and_may_be_written_again(Checkpointer store) {
    var history = History.of(store);
    history.commit(whole("a", 1, "1"), items("list", 1, 0, json("1"), json("2")));
    history.commit(cleared("a", 2), cleared("list", 2));
    history.commit();
    history.commit(whole("a", 3, "null"), items("list", 3, 0, json("3")));
    history.commit(items("list", 4, 1, json("4")), cleared("a", 4), cleared("b", 1));
    history.commit(items("a", 5, 0, json("5")));
    history.agrees();
  }

  @Test
  default void a_reference_to_missing_items_is_refused(Checkpointer store) {
    var history = History.of(store);
    var lease = history.lease();
    history.commit(items("list", 1, 0, json("1")), whole("a", 1, "1"), cleared("b", 1));
    for (var bad :
        List.of(
            items("list", 2, 2, json("3")),
            items("a", 2, 1, json("2")),
            items("b", 2, 1, json("2")))) {
      var commit =
          new Commit(
              LINEAGE, checkpoint("bad", Optional.of("c0"), 1), List.of(whole("a", 2, "2"), bad));
      assertThatThrownBy(() -> store.commit(lease, commit)).isInstanceOf(RuntimeException.class);
      history.agrees();
    }
    history.commit(items("list", 2, 1, json("2")));
    history.agrees();
  }

  @Test
  default void any_text_is_stored_unchanged(Checkpointer store) {
    var texts = List.of("", "naïve", "漢字", "😀", "a\u0000b", "\u2028", "\"\\/\n", "cut \ud83d");
    var history = History.of(store);
    for (int i = 0; i < texts.size(); i++) {
      history.commit(whole("text", i, Json.string(texts.get(i)).text()));
    }
    for (int i = 0; i < texts.size(); i++) {
      var channel = store.byId(LINEAGE, "c" + i).orElseThrow().channels().getFirst();
      assertThat(((Content.Whole) channel.content()).value().as(String.class))
          .isEqualTo(texts.get(i));
    }
  }

  @Test
  default void large_values_are_stored(Checkpointer store) {
    var large = Json.string("größe ".repeat(1_000_000));
    var history = History.of(store);
    history.commit(whole("a", 1, large.text()), items("list", 1, 0, large, json("1"), large));
    history.commit(items("list", 2, 3, large));
    history.agrees();
  }

  @Test
  default void any_history_equals_a_plain_model_of_it() {
    for (int seed = 1; seed <= Integer.getInteger("superstep.histories", 2); seed++) {
      var random = new SplittableRandom(seed);
      try (var store = fresh()) {
        // The store may be the same for all seeds.
        var lineage = Lineage.of("seed-" + seed);
        var history = History.of(store, History.hold(store, lineage.thread()), lineage);
        for (int i = 0; i < 80; i++) {
          history.commitAnything(random);
          assertThat(store.latest(lineage).map(History::values))
              .as("seed %d, commit %d", seed, i)
              .contains(history.values());
        }
        history.agrees();
      }
    }
  }

  @Test
  default void an_id_is_given_once(Checkpointer store) {
    var history = History.of(store);
    history.commit(whole("a", 1, "1"));
    history.commit(whole("a", 2, "2"));
    var again = new Commit(LINEAGE, checkpoint("c0", Optional.of("c1"), 2), List.of());
    assertThat(store.commit(history.lease(), again)).isFalse();
    history.agrees();
  }

  private static List<String> ids(List<Checkpoint> page) {
    return page.stream().map(Checkpoint::id).toList();
  }
}
