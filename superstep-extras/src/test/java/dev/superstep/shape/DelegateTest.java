package dev.superstep.shape;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.NodeFailed;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.Approval;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.EmptyChannel;
import dev.superstep.state.State;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T105")
class DelegateTest {
  static final Channel<String, String> QUESTION = Channel.latest("question", String.class);
  static final Channel<List<String>, String> ANSWERS = Channel.append("answers", String.class);
  static final Channel<String, String> TOPIC = Channel.latest("topic", String.class);
  static final Channel<String, String> FINDING = Channel.latest("finding", String.class);
  static final Channel<Long, Long> ASKED = Channel.sum("asked");
  static final Question<String, Approval> SURE = Question.of("sure", String.class, Approval.class);

  static Graph research() {
    return Graph.named("research")
        .channels(TOPIC, FINDING, ASKED)
        .node("count", (_, _) -> Update.of(ASKED, 1L))
        .node(
            "search",
            (state, _) -> Update.of(FINDING, state.get(TOPIC) + ": found " + state.get(ASKED)))
        .sequence(START, "count", "search", END)
        .compile();
  }

  static Delegate delegate(Graph graph) {
    return Delegate.named("research", graph).input(QUESTION, TOPIC).output(FINDING, ANSWERS);
  }

  static GraphBuilder around(Delegate delegate) {
    return delegate
        .addTo(Graph.named("desk").channels(QUESTION, ANSWERS))
        .edge(START, delegate.entry());
  }

  static State completed(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Completed.class);
    return ((Outcome.Completed) outcome).state();
  }

  @Test
  void a_delegate_runs_the_other_graph_and_returns_its_result() throws Exception {
    var shape = delegate(research()).then("thank");
    var graph =
        around(shape)
            .node("thank", (_, _) -> Update.of(ANSWERS, "thanks"))
            .edge("thank", END)
            .compile();
    assertThat(completed(graph.invoke(Input.of(QUESTION, "whales"))).get(ANSWERS))
        .containsExactly("whales: found 1", "thanks");
    Golden.check("shape-delegate.mmd", graph.topology().mermaid());
  }

  @Test
  void the_other_graph_may_remember() throws Exception {
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var forgets = around(delegate(research())).compile();
    forgets.invoke(Input.of(QUESTION, "a"), options);
    assertThat(completed(forgets.invoke(Input.of(QUESTION, "b"), options)).get(ANSWERS))
        .containsExactly("a: found 1", "b: found 1");
    var remembers = around(delegate(research()).persistence(Subgraph::remembering)).compile();
    var others = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    remembers.invoke(Input.of(QUESTION, "a"), others);
    assertThat(completed(remembers.invoke(Input.of(QUESTION, "b"), others)).get(ANSWERS))
        .containsExactly("a: found 1", "b: found 2");
  }

  @Test
  void a_question_of_the_other_graph_is_one_of_the_run() throws Exception {
    var asks =
        Graph.named("research")
            .channels(TOPIC, FINDING)
            .questions(SURE)
            .node(
                "ask",
                (state, context) ->
                    Update.of(
                        FINDING, "sure: " + context.interrupt(SURE, state.get(TOPIC)).approved()))
            .sequence(START, "ask", END)
            .compile();
    var graph = around(delegate(asks)).compile();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var outcome = graph.invoke(Input.of(QUESTION, "whales"), options);
    var question = ((Outcome.Interrupted) outcome).questions().getFirst();
    var end = graph.resume(Answers.of(question.id(), Approval.yes()), options);
    assertThat(completed(end).get(ANSWERS)).containsExactly("sure: true");
  }

  @Test
  void a_missing_input_fails_the_node_unless_its_policy_handles_that() throws Exception {
    assertThatExceptionOfType(NodeFailed.class)
        .isThrownBy(() -> around(delegate(research())).compile().invoke(Input.none()))
        .withRootCauseInstanceOf(EmptyChannel.class);
    var policy = NodePolicy.defaults().onFailure(OnFailure.skip());
    var lenient = around(delegate(research()).policy(policy)).compile();
    assertThat(completed(lenient.invoke(Input.none())).get(ANSWERS)).isEmpty();
  }
}
