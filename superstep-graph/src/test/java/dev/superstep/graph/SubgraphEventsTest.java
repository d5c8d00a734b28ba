package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.kinds;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.Kind;
import dev.superstep.json.Codec;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Retry;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// When it is told that a graph inside a node starts and completes.
@Tag("T100")
@Tag("T122")
class SubgraphEventsTest {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Channel<List<String>, String> NOTES = Channel.append("notes", String.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);
  static final Target<Integer> EACH = Target.of("each", Integer.class);

  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());

  private static Graph inner(Node node) {
    return Graph.named("inner")
        .channels(NOTES)
        .questions(ASK)
        .node("work", node)
        .edge(START, "work")
        .edge("work", END)
        .compile();
  }

  private static Graph outer(Subgraph<dev.superstep.state.State> inside, NodePolicy policy) {
    return Graph.named("outer")
        .channels(SAID)
        .node("research", inside, policy)
        .edge(START, "research")
        .edge("research", END)
        .compile();
  }

  private static Subgraph<dev.superstep.state.State> inside(Node node) {
    return Subgraph.of(
        inner(node), _ -> Input.none(), end -> Update.of(SAID, end.get(NOTES).getLast()));
  }

  private List<String> told() {
    return kinds(events).stream().filter(kind -> kind.startsWith("subgraph")).toList();
  }

  @Test
  void start_and_completion_of_a_subgraph_enclose_its_events() throws Exception {
    var graph = outer(inside((_, _) -> Update.of(NOTES, "n")), NodePolicy.defaults());
    completed(graph.invoke(Input.none(), kept().listener(events::add)));
    assertThat(kinds(events))
        .containsExactly(
            "run.started",
            "step.started [research]",
            "node.started research",
            "subgraph.started [research]",
            "step.started [work]",
            "node.started work",
            "node.finished work",
            "step.finished []",
            "subgraph.completed [research]",
            "node.finished research",
            "step.finished []",
            "run.completed");
    var started = (Event.SubgraphStarted) events.get(3);
    assertThat(started.origin().graph()).isEqualTo("inner");
    assertThat(started.task()).isEqualTo(((Event.NodeStarted) events.get(2)).task());
    assertThat(started.kind()).isEqualTo(Kind.LIFECYCLE);
    var within = EventFilter.within("research");
    assertThat(events.stream().filter(within::matches)).first().isEqualTo(started);
    for (var event : events) {
      assertThat(Codec.of(Event.class).decode(event.json())).isEqualTo(event);
    }
  }

  @Test
  void a_subgraph_that_asks_starts_once_and_completes_once() throws Exception {
    var graph =
        outer(
            inside((_, context) -> Update.of(NOTES, context.interrupt(ASK, "which?"))),
            NodePolicy.defaults());
    var options = kept().listener(events::add);
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(told()).containsExactly("subgraph.started [research]");
    var end = graph.resume(Answers.of(open.id(), "blue"), options);
    assertThat(completed(end).get(SAID)).containsExactly("blue");
    assertThat(told())
        .containsExactly("subgraph.started [research]", "subgraph.completed [research]");
  }

  @Test
  void a_saved_subgraph_whose_node_is_retried_starts_and_completes_once() throws Exception {
    var tries = new AtomicInteger();
    var inner = inner((_, _) -> Update.of(NOTES, "n"));
    Subgraph<dev.superstep.state.State> inside =
        Subgraph.of(
            inner,
            _ -> Input.none(),
            end -> {
              // Its result, not the graph, is what fails the first time.
              if (tries.incrementAndGet() == 1) throw new IllegalStateException("not yet");
              return Update.of(SAID, end.get(NOTES).getLast());
            });
    var graph = outer(inside, NodePolicy.defaults().retry(Retry.of(2)));
    completed(graph.invoke(Input.none(), kept().sleeper(_ -> {}).listener(events::add)));
    assertThat(tries).hasValue(2);
    assertThat(told())
        .containsExactly("subgraph.started [research]", "subgraph.completed [research]");
  }

  @Test
  void a_subgraph_that_fails_inside_completes_only_in_the_run_that_ends_it() throws Exception {
    var tries = new AtomicInteger();
    var graph =
        outer(
            inside((_, _) -> {
              if (tries.incrementAndGet() == 1) throw new IllegalStateException("flaky");
              return Update.of(NOTES, "n");
            }),
            NodePolicy.defaults());
    var options = kept().listener(events::add);
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    assertThat(told()).containsExactly("subgraph.started [research]");
    completed(graph.resume(Answers.none(), options));
    assertThat(told())
        .containsExactly("subgraph.started [research]", "subgraph.completed [research]");
  }

  @Test
  void an_unsaved_subgraph_starts_over_each_time_it_runs() throws Exception {
    var tries = new AtomicInteger();
    var graph =
        outer(
            inside(
                    (_, _) -> {
                      if (tries.incrementAndGet() == 1) throw new IllegalStateException("flaky");
                      return Update.of(NOTES, "n");
                    })
                .withoutCheckpoints(),
            NodePolicy.defaults().retry(Retry.of(2)));
    completed(graph.invoke(Input.none(), kept().sleeper(_ -> {}).listener(events::add)));
    assertThat(told())
        .containsExactly(
            "subgraph.started [research]",
            "subgraph.started [research]",
            "subgraph.completed [research]");
  }

  @Test
  void each_task_of_a_fan_out_has_a_start_and_an_end_of_its_own() throws Exception {
    var graph =
        Graph.named("outer")
            .channels(SAID)
            .node("plan", (_, _) -> NodeResult.nothing())
            .node(
                EACH,
                Subgraph.of(
                    inner((_, _) -> Update.of(NOTES, "n")),
                    (Integer _) -> Input.none(),
                    end -> Update.of(SAID, end.get(NOTES).getLast())))
            .edge(START, "plan")
            .fanOut("plan", _ -> List.of(Send.to(EACH, 0), Send.to(EACH, 1)), EACH)
            .edge("each", END)
            .compile();
    completed(graph.invoke(Input.none(), kept().listener(events::add)));
    assertThat(told())
        .containsExactlyInAnyOrder(
            "subgraph.started [each#0]",
            "subgraph.completed [each#0]",
            "subgraph.started [each#1]",
            "subgraph.completed [each#1]");
  }
}
