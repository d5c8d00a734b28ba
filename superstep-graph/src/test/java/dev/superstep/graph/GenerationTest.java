package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The ids of tasks depend on nothing that may be lost, and nothing that is told is lost unmarked.
final class GenerationTest {
  private static final Channel<Long, Long> PAID = Channel.sum("paid");
  private static final int PAYMENTS = 6;

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch paid = new CountDownLatch(1);

  private RunOptions on(dev.superstep.checkpoint.Checkpointer at, Durability when) {
    return RunOptions.thread("t").checkpoints(at).durability(when);
  }

  /// Pays in each superstep, in a graph inside.
  private Graph paying() {
    var inner =
        Graph.named("bank")
            .channels(PAID)
            .node(
                "pay",
                (_, context) -> {
                  keys.add(context.task());
                  return Update.of(PAID, 1L);
                })
            .edge(START, "pay")
            .edge("pay", END)
            .compile();
    var bank =
        Subgraph.of(
            inner,
            (dev.superstep.state.State _) -> Input.none(),
            state -> Update.of(PAID, state.get(PAID)));
    return Graph.named("shop")
        .channels(PAID)
        .node("bank", bank)
        .edge(START, "bank")
        .route("bank", s -> s.get(PAID) < PAYMENTS ? "bank" : END, "bank", END)
        .compile();
  }

  /// Pays in each superstep, beside a node that does nothing.
  private Graph looping() {
    return Graph.named("shop")
        .channels(PAID)
        .node(
            "pay",
            (_, context) -> {
              keys.add(context.task());
              if (keys.size() == PAYMENTS - 1) paid.countDown();
              return Update.of(PAID, 1L);
            })
        .node("look", (_, _) -> NodeResult.nothing())
        .edge(START, "pay")
        .edge(START, "look")
        .edge("look", END)
        .route("pay", s -> s.get(PAID) < PAYMENTS ? "pay" : END, "pay", END)
        .compile();
  }

  /// Dies before the third checkpoint is in it, when the run is three supersteps further.
  private ForwardingCheckpointer dying() {
    return new ForwardingCheckpointer(store) {
      @Override
      public boolean commit(Lease lease, Commit commit) {
        if (commit.checkpoint().step() < 2) return super.commit(lease, commit);
        try {
          paid.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        throw new StoreFailed("here", "it is gone", new IllegalStateException());
      }
    };
  }

  @Test
  void a_task_whose_checkpoint_was_lost_has_the_same_id_when_it_runs_again() throws Exception {
    var graph = looping();
    thrown(StoreFailed.class, () -> graph.invoke(Input.none(), on(dying(), Durability.ASYNC)));
    var before = List.copyOf(keys);
    assertThat(before).hasSizeGreaterThanOrEqualTo(PAYMENTS - 1);
    var end = completed(graph.resume(Answers.none(), on(store, Durability.ASYNC)));
    assertThat(end.get(PAID)).isEqualTo(PAYMENTS);
    assertThat(new HashSet<>(keys)).hasSize(PAYMENTS);
    assertThat(keys).hasSizeGreaterThanOrEqualTo(before.size() + PAYMENTS - 2);
  }

  @Test
  void a_resumed_run_that_saves_at_its_end_and_dies_before_gives_the_same_ids_again()
      throws Exception {
    var graph = looping();
    var two = on(store, Durability.SYNC).taskLimit(2);
    graph.invoke(Input.none(), two);
    keys.clear();
    paid.countDown();
    thrown(StoreFailed.class, () -> graph.resume(Answers.none(), on(dying(), Durability.EXIT)));
    var before = List.copyOf(keys);
    keys.clear();
    completed(graph.resume(Answers.none(), on(store, Durability.EXIT)));
    assertThat(before).isNotEmpty().isEqualTo(keys);
  }

  @Test
  void input_rewind_fork_and_state_update_each_begin_a_generation_with_its_own_keys()
      throws Exception {
    var graph = paying();
    var options = on(store, Durability.SYNC);
    completed(graph.invoke(Input.none(), options));
    var middle = graph.history(Optional.empty(), 100, options).get(PAYMENTS / 2).id();
    var threads = Threads.in(store);
    threads.fork("t", middle, "u");
    threads.rewind("t", middle);
    completed(graph.resume(Answers.none(), options));
    completed(graph.resume(Answers.none(), RunOptions.thread("u").checkpoints(store)));
    threads.rewind("t", middle);
    graph.update(options, new StateUpdate("bank", Update.of(PAID, -1L)));
    completed(graph.resume(Answers.none(), options));
    completed(graph.invoke(Input.of(PAID, -1L), options));
    assertThat(keys).hasSizeGreaterThan(PAYMENTS * 2).doesNotHaveDuplicates();
  }

  @Test
  void the_id_of_a_task_names_no_checkpoint() throws Exception {
    var graph = paying();
    var options = on(store, Durability.SYNC);
    completed(graph.invoke(Input.none(), options));
    var ids = new ArrayList<String>();
    for (var checkpoint : graph.history(Optional.empty(), 100, options)) ids.add(checkpoint.id());
    for (var key : keys) for (var id : ids) assertThat(key).doesNotContain(id);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_step_is_saved_when_it_returns_unless_the_run_saves_on_exit(Durability when)
      throws Exception {
    var lineage = Lineage.of("t");
    var found = new ArrayList<Integer>();
    var graph =
        Graph.named("g")
            .channels(PAID)
            .node("first", (_, _) -> Update.of(PAID, 1L))
            .node(
                "second",
                (_, context) -> {
                  context.step("charge", Long.class, () -> 7L);
                  var newest = store.latest(lineage).map(saved -> saved.checkpoint().id());
                  found.add(newest.map(id -> store.steps(lineage, id).size()).orElse(0));
                  return Update.of(PAID, 1L);
                })
            .edge(START, "first")
            .edge("first", "second")
            .edge("second", END)
            .compile();
    completed(graph.invoke(Input.none(), on(store, when)));
    assertThat(found).containsExactly(when == Durability.EXIT ? 0 : 1);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void an_event_about_unsaved_results_is_marked_provisional(Durability when) throws Exception {
    var finished = Collections.synchronizedList(new ArrayList<Boolean>());
    var ends = Collections.synchronizedList(new ArrayList<Boolean>());
    var safe = Collections.synchronizedList(new ArrayList<Event>());
    var graph = paying();
    var options =
        on(store, when)
            .listener(event -> {
              var json = event.json().text().contains("\"provisional\":true");
              assertThat(json).isEqualTo(event.isProvisional());
              if (event instanceof Event.NodeFinished) finished.add(event.isProvisional());
              if (event instanceof Event.RunCompleted) ends.add(event.isProvisional());
              if (EventFilter.safe().matches(event)) safe.add(event);
            });
    completed(graph.invoke(Input.none(), options));
    assertThat(finished).hasSize(2 * PAYMENTS).containsOnly(when != Durability.SYNC);
    assertThat(ends).containsExactly(false);
    boolean isHeard = safe.stream().anyMatch(Event.NodeFinished.class::isInstance);
    assertThat(isHeard).isEqualTo(when == Durability.SYNC);
  }

  @Test
  void events_of_an_unsaved_subgraph_in_a_saved_run_are_provisional() throws Exception {
    var told = Collections.synchronizedList(new ArrayList<String>());
    var inner =
        Graph.named("inner")
            .channels(PAID)
            .node("add", (_, _) -> Update.of(PAID, 1L))
            .edge(START, "add")
            .edge("add", END)
            .compile();
    var graph =
        Graph.named("g")
            .channels(PAID)
            .node(
                "inside",
                Subgraph.of(
                        inner,
                        (dev.superstep.state.State _) -> Input.none(),
                        state -> Update.of(PAID, state.get(PAID)))
                    .withoutCheckpoints())
            .edge(START, "inside")
            .edge("inside", END)
            .compile();
    var options =
        on(store, Durability.SYNC)
            .listener(event -> {
              if (event instanceof Event.NodeFinished e) {
                told.add(e.node() + " " + e.isProvisional());
              }
            });
    completed(graph.invoke(Input.none(), options));
    assertThat(told).containsExactly("add true", "inside false");
  }
}
