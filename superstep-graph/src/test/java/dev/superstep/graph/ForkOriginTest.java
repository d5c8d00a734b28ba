package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.ForkOrigin;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("T94")
class ForkOriginTest {
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  private static Graph chain() {
    return Graph.named("chain")
        .channels(LOG)
        .node("a", (_, _) -> Update.of(LOG, "a"))
        .node("b", (_, _) -> Update.of(LOG, "b"))
        .sequence(START, "a", "b", END)
        .compile();
  }

  private static List<Checkpointer> stores() {
    return List.of(
        new InMemoryCheckpointer(),
        EncryptedCheckpointer.over(new InMemoryCheckpointer(), KeyRing.of("k", new byte[32])));
  }

  private static List<Checkpoint> history(Checkpointer store, String thread) {
    return Threads.in(store).history(thread, Optional.empty(), 99);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_fork_and_a_rewind_name_the_checkpoint_that_they_begin_from(Durability durability)
      throws Exception {
    for (var store : stores()) {
      var threads = Threads.in(store);
      var options = RunOptions.thread("t").checkpoints(store).durability(durability);
      completed(chain().invoke(Input.none(), options));
      var older = history(store, "t").getLast();
      var fork = threads.fork("t", older.id(), "f");
      var rewind = threads.rewind("t", older.id());
      var source = Lineage.of("t");
      assertThat(fork.origin()).contains(new ForkOrigin(ForkOrigin.Kind.FORK, source, older.id()));
      assertThat(rewind.origin())
          .contains(new ForkOrigin(ForkOrigin.Kind.REWIND, source, older.id()));
      // As they are listed.
      assertThat(threads.find("f").orElseThrow().checkpoint()).isEqualTo(fork);
      assertThat(threads.find("t").orElseThrow().checkpoint()).isEqualTo(rewind);
      // Once the threads have gone on, their history still tells it, and nothing else has one.
      for (var name : List.of("t", "f")) {
        var there = RunOptions.thread(name).checkpoints(store).durability(durability);
        completed(chain().resume(Answers.none(), there));
        assertThat(history(store, name))
            .allMatch(one -> one.origin().isPresent() == (one.source() == Checkpoint.Source.FORK));
      }
      // A fork of a fork names its own.
      var again = threads.fork("f", fork.id(), "g");
      assertThat(again.origin().orElseThrow().checkpoint()).isEqualTo(fork.id());
      assertThat(again.origin().orElseThrow().source()).isEqualTo(Lineage.of("f"));
    }
  }

  @Test
  void a_subgraph_that_takes_an_older_memory_up_names_it() throws Exception {
    var inner =
        Graph.named("inner")
            .channels(LOG)
            .node("note", (_, _) -> Update.of(LOG, "noted"))
            .sequence(START, "note", END)
            .compile();
    var outer =
        Graph.named("outer")
            .channels(LOG)
            .node(
                "inside",
                Subgraph.<dev.superstep.state.State>of(
                        inner, _ -> Input.none(), end -> Update.all(LOG, end.get(LOG)))
                    .remembering())
            .sequence(START, "inside", END)
            .compile();
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    completed(outer.invoke(Input.none(), options));
    var first = history(store, "t").getFirst();
    var memory = first.progress().memories().at("inside").orElseThrow();
    completed(outer.invoke(Input.none(), options));
    Threads.in(store).rewind("t", first.id());
    completed(outer.invoke(Input.none(), options));
    var now = history(store, "t").getFirst().progress().memories().at("inside").orElseThrow();
    assertThat(now.namespace()).isNotEqualTo(memory.namespace());
    var begun = store.page(new Lineage("t", now.namespace()), Optional.empty(), 99).getLast();
    var source = new Lineage("t", memory.namespace());
    assertThat(begun.origin())
        .contains(new ForkOrigin(ForkOrigin.Kind.MEMORY, source, memory.checkpoint()));
  }

  @Test
  void threads_and_checkpoints_are_listed_by_the_metadata_of_their_runs() throws Exception {
    for (var store : stores()) {
      for (int i = 0; i < 6; i++) {
        var options =
            RunOptions.thread("t" + i)
                .checkpoints(store)
                .metadata("customer", i % 2 == 0 ? "acme" : "other")
                .metadata("i", "" + i);
        completed(chain().invoke(Input.none(), options));
      }
      var again = RunOptions.thread("t0").checkpoints(store).metadata("customer", "late");
      completed(chain().invoke(Input.none(), again));
      var threads = Threads.in(store);
      var acme = ThreadQuery.newest(1).where("customer", "acme");
      assertThat(threads.list(acme)).extracting(ThreadSummary::thread).containsExactly("t4");
      assertThat(threads.list(acme.after("t4")))
          .extracting(ThreadSummary::thread)
          .containsExactly("t2");
      assertThat(threads.list(acme.after("t2"))).isEmpty();
      assertThat(threads.history("t0", Map.of("customer", "acme"), Optional.empty(), 99))
          .hasSize(3)
          .allMatch(one -> one.metadata().containsValue("0"));
      assertThat(threads.history("t0", Map.of("customer", "late"), Optional.empty(), 2)).hasSize(2);
    }
  }
}
