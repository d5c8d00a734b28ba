package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.json.Json;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Graphs inside that are chosen when their node runs.
class ChosenSubgraphTest {
  private static final Channel<String, String> KIND = Channel.latest("kind", String.class);
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final ContextKey<String> WHO = ContextKey.of("who", String.class);
  private static final Question<Json, Json> STANDING =
      Question.of("standing", Json.class, Json.class);
  private static final Question<String, Long> OWN = Question.of("own", String.class, Long.class);

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final AtomicInteger begun = new AtomicInteger();

  private Graph plain(String name) {
    return Graph.named(name)
        .channels(LOG)
        .node("x", (_, c) -> Update.of(LOG, name + " " + c.find(WHO).orElse("nobody")))
        .edge(Graph.START, "x")
        .edge("x", Graph.END)
        .compile();
  }

  private Graph asking() {
    return Graph.named("asking")
        .channels(LOG)
        .questions(OWN)
        .node(
            "first",
            (_, _) -> {
              begun.incrementAndGet();
              return Update.of(LOG, "first");
            })
        .node("ask", (_, c) -> Update.of(LOG, "told " + c.interrupt(OWN, "how many?")))
        .edge(Graph.START, "first")
        .edge("first", "ask")
        .edge("ask", Graph.END)
        .compile();
  }

  private Subgraph<State> inside(Graph graph) {
    return Subgraph.of(
        graph,
        _ -> Input.none(),
        end -> {
          var update = new Update(List.of());
          for (var line : end.get(LOG)) update = update.and(LOG, line);
          return update;
        });
  }

  private Graph outer() {
    var chosen =
        Subgraph.<State>chosen(
            STANDING,
            (from, state, _, within) -> {
              var kind = state.get(KIND);
              if (kind.equals("none")) return within.run(from);
              var graph = kind.equals("asking") ? asking() : plain(kind);
              return within.choosing(inside(graph)).with(WHO, "me").run(from);
            });
    return Graph.named("outer")
        .channels(KIND, LOG)
        .questions(STANDING)
        .node("run", chosen)
        .node("end", (_, c) -> Update.of(LOG, "end " + c.find(WHO).orElse("nobody")))
        .edge(Graph.START, "run")
        .edge("run", "end")
        .edge("end", Graph.END)
        .compile();
  }

  private static List<String> log(Outcome outcome) {
    return ((Outcome.Completed) outcome).state().get(LOG);
  }

  @Test
  void its_code_chooses_the_graph_and_gives_values_to_its_nodes_alone() throws Exception {
    for (var kind : List.of("one", "two")) {
      var outcome = outer().invoke(Input.of(KIND, kind), RunOptions.defaults());
      assertThat(log(outcome)).containsExactly(kind + " me", "end nobody");
    }
  }

  @Test
  void it_continues_where_it_was_and_its_questions_are_asked_by_another_name() throws Exception {
    var options = RunOptions.thread("t").checkpoints(store);
    var asked = (Outcome.Interrupted) outer().invoke(Input.of(KIND, "asking"), options);
    var question = asked.questions().getFirst();
    assertThat(question.question()).isEqualTo("standing");
    assertThat(question.payload()).isEqualTo(Json.string("how many?"));
    var state = outer().state(options).orElseThrow();
    assertThat(state.next()).hasSize(1);
    var outcome = outer().resume(Answers.of(question.id(), STANDING, Json.of(3L)), options);
    assertThat(log(outcome)).containsExactly("first", "told 3", "end nobody");
    assertThat(begun).hasValue(1);
  }

  @Test
  void a_graph_that_those_around_would_have_to_know_cannot_be_chosen() {
    var remembering =
        Graph.named("outer")
            .channels(KIND, LOG)
            .questions(STANDING)
            .node(
                "run",
                Subgraph.<State>chosen(
                    STANDING,
                    (from, _, _, within) ->
                        within.choosing(inside(plain("one")).remembering()).run(from)))
            .edge(Graph.START, "run")
            .edge("run", Graph.END)
            .compile();
    assertThatThrownBy(() -> remembering.invoke(Input.of(KIND, "x"), RunOptions.defaults()))
        .rootCause()
        .hasMessageContaining("remembers nothing");
    assertThatThrownBy(() -> outer().invoke(Input.of(KIND, "none"), RunOptions.defaults()))
        .rootCause()
        .hasMessageContaining("no graph was chosen");
  }

  @Test
  void the_graph_of_a_node_is_not_replaced_by_another() {
    var graph =
        Graph.named("outer")
            .channels(LOG)
            .node(
                "run",
                inside(plain("one"))
                    .interceptor(
                        (from, _, _, within) -> within.choosing(inside(plain("two"))).run(from)))
            .edge(Graph.START, "run")
            .edge("run", Graph.END)
            .compile();
    assertThatThrownBy(() -> graph.invoke(Input.none(), RunOptions.defaults()))
        .rootCause()
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_replay_follows_the_graph_that_was_chosen() throws Exception {
    var options = RunOptions.thread("t").checkpoints(store);
    outer().invoke(Input.of(KIND, "one"), options);
    var replayed = Replay.of(outer(), store).thread("t").run();
    assertThat(replayed.isEqual()).as(replayed.text()).isTrue();
  }

  @Test
  void code_around_a_graph_on_shared_channels_adds_writes_to_its_result() throws Exception {
    var graph =
        Graph.named("outer")
            .channels(LOG)
            .node(
                "run",
                Subgraph.shared(plain("one"))
                    .interceptor((from, _, _, within) -> {
                      NodeResult result = within.run(from);
                      return ((dev.superstep.node.EngineResult) result).and(Update.of(LOG, "more"));
                    }))
            .edge(Graph.START, "run")
            .edge("run", Graph.END)
            .compile();
    var outcome = graph.invoke(Input.none(), RunOptions.defaults());
    assertThat(log(outcome)).containsExactly("one nobody", "more");
  }
}
