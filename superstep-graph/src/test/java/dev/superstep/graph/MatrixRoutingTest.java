package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Signal;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.node.Node;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.MatrixHook;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("X16")
class MatrixRoutingTest {
  static final Channel<List<String>, String> PATH = ConvergeTest.PATH;
  static final Target<Integer> ITEM = Target.of("item", Integer.class);
  static final Node TRACE = (_, in) -> Update.of(PATH, in.node());

  /// Goes round `pick` three times; the router always chooses `left`.
  static Graph rounds(AtomicInteger routed) {
    return Graph.named("rounds")
        .channels(PATH)
        .node("pick", TRACE)
        .node("left", (_, in) -> ConvergeTest.converge(in, 0.5))
        .node("right", (_, in) -> ConvergeTest.converge(in, 0.9))
        .node("after", TRACE)
        .edge(START, "pick")
        .route(
            "pick",
            _ -> {
              routed.incrementAndGet();
              return "left";
            },
            "left",
            "right")
        .edge("left", "after")
        .edge("right", "after")
        .route("after", state -> state.get(PATH).size() < 9 ? "pick" : END, "pick", END)
        .compile();
  }

  static Graph rounds() {
    return rounds(new AtomicInteger());
  }

  /// Chooses `right` in the second round only.
  static NotingHook secondTime() {
    return new NotingHook(junction ->
        junction.from().equals("pick") && junction.step() == 4
            ? Optional.of(List.of("right"))
            : Optional.empty());
  }

  static List<String> path(Graph graph, RunOptions options) throws InterruptedException {
    return completed(graph.invoke(Input.none(), options)).get(PATH);
  }

  static List<String> picks(Graph graph, RunOptions options) throws InterruptedException {
    return path(graph, options).stream()
        .filter(n -> !n.equals("pick") && !n.equals("after"))
        .toList();
  }

  static List<Checkpoint> history(InMemoryCheckpointer store, String thread) {
    return store.page(Lineage.of(thread), Optional.empty(), 100);
  }

  @Test
  void a_choice_replaces_the_routers_and_without_an_opinion_the_router_decides() throws Exception {
    var routed = new AtomicInteger();
    var options = RunOptions.defaults().matrix(secondTime());
    assertThat(picks(rounds(routed), options)).containsExactly("left", "right", "left");
    assertThat(routed).hasValue(2);
  }

  @Test
  void the_hook_receives_all_candidates() throws Exception {
    var hook = NotingHook.silent();
    path(rounds(), RunOptions.defaults().matrix(hook));
    assertThat(hook.asked.getFirst())
        .isEqualTo(new MatrixHook.Junction("pick", "pick", List.of("left", "right"), true, 1));
    assertThat(hook.asked.get(1).candidates()).containsExactly("pick", END);
  }

  @Test
  void a_choice_is_saved_in_its_checkpoint_and_published_as_an_event() throws Exception {
    var store = new InMemoryCheckpointer();
    var events = new ArrayList<Event>();
    var options = RunOptions.thread("t").checkpoints(store).listener(events::add);
    path(rounds(), options.matrix(secondTime()));
    for (var checkpoint : history(store, "t")) {
      assertThat(checkpoint.progress().chosen())
          .isEqualTo(checkpoint.step() == 4 ? Map.of("pick", List.of("right")) : Map.of());
    }
    var told = events.stream().filter(Event.MatrixRouted.class::isInstance).toList();
    assertThat(told).hasSize(1);
    assertThat(told.getFirst())
        .isEqualTo(
            new Event.MatrixRouted(told.getFirst().origin(), "pick", "pick", List.of("right")));
    assertThat(told.getFirst().origin().step()).isEqualTo(4);
    assertThat(Runs.kinds(events))
        .containsSubsequence(
            "node.finished pick", "matrix.routed pick [right]", "step.finished [right]");
  }

  @Test
  void a_saved_choice_is_not_made_again_when_the_thread_resumes() throws Exception {
    var broken = new AtomicInteger(1);
    var builder =
        Graph.named("resumed")
            .channels(PATH)
            .node("pick", TRACE)
            .node("left", TRACE)
            .node(
                "right",
                (_, in) -> {
                  if (broken.getAndDecrement() > 0) throw new IllegalStateException("flaky");
                  return Update.of(PATH, in.node());
                })
            .edge(START, "pick")
            .route("pick", _ -> "left", "left", "right")
            .edge("left", END)
            .edge("right", END);
    var options = kept();
    Runs.thrown(
        NodeFailed.class,
        () -> builder.compile().invoke(Input.none(), options.matrix(NotingHook.choosing("right"))));
    // Without any matrix: the choice is part of what was saved.
    var state = completed(builder.compile().resume(Answers.none(), options));
    assertThat(state.get(PATH)).containsExactly("pick", "right");
  }

  @Test
  @Tag("M5")
  void a_hook_that_fails_or_returns_nonsense_is_reported_without_other_effects() throws Exception {
    var hooks =
        List.of(
            new NotingHook(_ -> {
              throw new IllegalStateException("broken");
            }),
            new NotingHook(_ -> {
              throw new StackOverflowError();
            }),
            new NotingHook(_ -> null),
            NotingHook.choosing("nowhere"),
            NotingHook.choosing("after"),
            NotingHook.choosing("left", "right"),
            NotingHook.choosing());
    var plain = path(rounds(), RunOptions.defaults());
    for (var hook : hooks) {
      var events = new ArrayList<Event>();
      var options = kept().matrix(hook).listener(events::add);
      assertThat(path(rounds(), options)).isEqualTo(plain);
      var failed =
          events.stream()
              .filter(Event.MatrixFailed.class::isInstance)
              .map(Event.MatrixFailed.class::cast)
              .toList();
      assertThat(failed).hasSize(6);
      assertThat(failed.getFirst().node()).isEqualTo("pick");
      assertThat(failed.getFirst().during()).isEqualTo(Event.MatrixFailed.During.ROUTE);
      assertThat(failed.getFirst().error()).isNotBlank();
    }
  }

  @Test
  @Tag("W61")
  void a_hook_that_fails_to_learn_is_reported_without_other_effects() throws Exception {
    var silent = NotingHook.silent();
    for (int bad = 0; bad < 3; bad++) {
      int which = bad;
      var hook =
          new MatrixHook() {
            @Override
            public void onConverge(String node, Signal signal) {
              if (which == 0) throw new IllegalStateException("poisoned");
            }

            @Override
            public void recordTransition(String from, String to, double quality) {
              if (which == 1) throw new AssertionError("poisoned");
            }

            @Override
            public Optional<List<String>> route(Junction junction) {
              return silent.route(junction);
            }

            @Override
            public double cValue() {
              return which == 2 ? Double.NaN : 0;
            }

            @Override
            public double completion() {
              return 0;
            }

            @Override
            public boolean isConverged() {
              return false;
            }
          };
      var events = new ArrayList<Event>();
      var plain = path(rounds(), RunOptions.defaults());
      assertThat(path(rounds(), kept().matrix(hook).listener(events::add))).isEqualTo(plain);
      assertThat(Runs.kinds(events)).contains("matrix.failed OBSERVE").contains("run.completed");
      assertThat(Runs.kinds(events)).doesNotContain("matrix.observed left");
    }
  }

  @Test
  void a_router_of_many_may_be_overruled_with_several_or_none() throws Exception {
    var graph =
        Graph.named("many")
            .channels(PATH)
            .node("a", TRACE)
            .node("b", TRACE)
            .node("c", TRACE)
            .edge(START, "a")
            .routeMany("a", _ -> List.of("b"), "b", "c")
            .edge("b", END)
            .edge("c", END)
            .compile();
    var both = RunOptions.defaults().matrix(NotingHook.choosing("c", "b", "c"));
    assertThat(path(graph, both)).containsExactly("a", "b", "c");
    var none = kept().matrix(NotingHook.choosing());
    assertThat(path(graph, none)).containsExactly("a");
  }

  @Test
  void a_router_after_start_may_be_overruled() throws Exception {
    var graph =
        Graph.named("start")
            .channels(PATH)
            .node("b", TRACE)
            .node("c", TRACE)
            .route(START, _ -> "b", "b", "c")
            .edge("b", END)
            .edge("c", END)
            .compile();
    var store = new InMemoryCheckpointer();
    var events = new ArrayList<Event>();
    var options = RunOptions.thread("t").checkpoints(store).listener(events::add);
    assertThat(path(graph, options.matrix(NotingHook.choosing("c")))).containsExactly("c");
    assertThat(history(store, "t").getLast().progress().chosen())
        .containsOnly(Map.entry(START, List.of("c")));
    assertThat(Runs.kinds(events)).startsWith("run.started", "matrix.routed __start__ [c]");
  }

  @Test
  void each_router_of_a_node_is_asked_for_itself_once_in_a_superstep() throws Exception {
    var hook =
        new NotingHook(junction ->
            junction.router().equals("item#2") ? Optional.of(List.of("e")) : Optional.empty());
    var graph =
        Graph.named("twice")
            .channels(PATH)
            .node(ITEM, (_, _, in) -> Update.of(PATH, in.node()))
            .node("b", TRACE)
            .node("c", TRACE)
            .node("d", TRACE)
            .node("e", TRACE)
            .fanOut(START, _ -> List.of(Send.to(ITEM, 1), Send.to(ITEM, 2)), ITEM)
            .route("item", _ -> "b", "b", "c")
            .route("item", _ -> "d", "d", "e")
            .edge("b", END)
            .edge("c", END)
            .edge("d", END)
            .edge("e", END)
            .compile();
    var path = path(graph, kept().matrix(hook));
    assertThat(path).containsExactly("item", "item", "b", "e");
    assertThat(hook.notes).containsExactly("route item 1", "route item#2 1");
  }

  @Test
  void routers_of_a_graph_inside_a_node_are_left_alone() throws Exception {
    var outer =
        Graph.named("outer")
            .channels(PATH)
            .node(
                "inner",
                Subgraph.of(rounds(), _ -> Input.none(), in -> Update.all(PATH, in.get(PATH))))
            .edge(START, "inner")
            .edge("inner", END)
            .compile();
    var hook = NotingHook.choosing("right");
    assertThat(path(outer, kept().matrix(hook))).doesNotContain("right").hasSize(9);
    assertThat(hook.asked).isEmpty();
  }
}
