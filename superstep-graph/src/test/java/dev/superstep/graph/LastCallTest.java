package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.call.CallContext;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The last call of a node, whose result is saved with the checkpoint that follows.
final class LastCallTest {
  private static final Channel<String, String> SAID = Channel.latest("said", String.class);
  private static final Channel<String, String> PICKY =
      Channel.reduce("picky", String.class, "", (_, said) -> refused(said));
  private static final Channel<String, String> OTHER = Channel.latest("other", String.class);
  private static final Question<String, String> WHO =
      Question.of("who", String.class, String.class);

  private record Reply(String text) {}

  private final List<String> writes = new ArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private final Noting store = new Noting(new InMemoryCheckpointer());

  /// Notes where results of steps are saved.
  private final class Noting extends ForwardingCheckpointer {
    Noting(Checkpointer store) {
      super(store);
    }

    @Override
    public boolean commit(Lease lease, Commit commit) {
      if (!commit.parentSteps().isEmpty()) writes.add("with checkpoint");
      return super.commit(lease, commit);
    }

    @Override
    public StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
      writes.add("alone");
      return super.saveStep(lease, lineage, checkpoint, step);
    }
  }

  private static String refused(String said) {
    throw new IllegalStateException("refuses " + said);
  }

  private String reply(NodeContext context) throws Exception {
    return ((CallContext) context)
        .lastCall("ask", "hi", Reply.class, () -> new Reply("reply " + calls.incrementAndGet()))
        .text();
  }

  private Graph graph(Node node) {
    return graph(node, NodePolicy.defaults());
  }

  private static Graph graph(Node node, NodePolicy policy) {
    return Graph.named("asking")
        .channels(SAID, PICKY)
        .questions(WHO)
        .node("ask", node, policy)
        .edge(START, "ask")
        .edge("ask", END)
        .compile();
  }

  private RunOptions options() {
    return RunOptions.thread("t").checkpoints(store).sleeper(_ -> {});
  }

  @Test
  void a_result_is_saved_with_the_checkpoint_of_its_node() throws Exception {
    var graph = graph((_, context) -> Update.of(SAID, reply(context)));
    assertThat(completed(graph.invoke(Input.none(), options())).get(SAID)).isEqualTo("reply 1");
    assertThat(writes).containsExactly("with checkpoint");
    var first = store.page(Lineage.of("t"), Optional.empty(), 9).getLast().id();
    assertThat(store.steps(Lineage.of("t"), first)).hasSize(1);
  }

  @Test
  void a_result_is_saved_before_the_node_does_anything_else() throws Exception {
    var graph =
        graph((_, context) -> {
          var said = reply(context);
          return Update.of(
              SAID, context.step("note", String.class, () -> said + " after " + writes));
        });
    assertThat(completed(graph.invoke(Input.none(), options())).get(SAID))
        .isEqualTo("reply 1 after [alone]");
    assertThat(writes).containsExactly("alone", "alone");
  }

  @Test
  void a_node_that_fails_and_is_retried_does_not_make_the_call_again() throws Exception {
    var graph =
        graph(
            (_, context) -> {
              var said = reply(context);
              if (failures.incrementAndGet() == 1) throw new IllegalStateException("once");
              return Update.of(SAID, said);
            },
            NodePolicy.defaults().retry(Retry.of(2)));
    assertThat(completed(graph.invoke(Input.none(), options())).get(SAID)).isEqualTo("reply 1");
    assertThat(writes).containsExactly("alone");
    assertThat(calls).hasValue(1);
  }

  @Test
  void a_run_that_failed_and_is_resumed_does_not_make_the_call_again() throws Exception {
    var graph =
        graph((_, context) -> {
          var said = reply(context);
          if (failures.incrementAndGet() == 1) throw new IllegalStateException("once");
          return Update.of(SAID, said);
        });
    assertThatThrownBy(() -> graph.invoke(Input.none(), options())).hasMessageContaining("once");
    assertThat(writes).containsExactly("alone");
    assertThat(completed(graph.resume(Answers.none(), options())).get(SAID)).isEqualTo("reply 1");
    assertThat(calls).hasValue(1);
  }

  @Test
  void a_node_that_asks_afterwards_has_its_result_saved() throws Exception {
    var graph =
        graph((_, context) -> {
          var said = reply(context);
          return Update.of(SAID, said + " to " + context.interrupt(WHO, "who?"));
        });
    assertThat(graph.invoke(Input.none(), options())).isInstanceOf(Outcome.Interrupted.class);
    assertThat(writes).containsExactly("alone");
    assertThat(completed(graph.resume(Answers.to(WHO, "ada"), options())).get(SAID))
        .isEqualTo("reply 1 to ada");
    assertThat(calls).hasValue(1);
  }

  @Test
  void a_result_is_saved_if_no_checkpoint_can_be_made() {
    var graph = graph((_, context) -> Update.of(PICKY, reply(context)));
    assertThatThrownBy(() -> graph.invoke(Input.none(), options())).hasMessageContaining("refuses");
    assertThat(writes).containsExactly("alone");
  }

  @ParameterizedTest
  @EnumSource
  void a_result_that_is_not_joined_is_saved_as_the_durability_says(Durability durability)
      throws Exception {
    var graph = graph((_, context) -> Update.of(SAID, reply(context)));
    var options = options().durability(durability);
    assertThat(completed(graph.invoke(Input.none(), options)).get(SAID)).isEqualTo("reply 1");
    assertThat(writes)
        .isEqualTo(
            switch (durability) {
              case SYNC -> List.of("with checkpoint");
              case ASYNC -> List.of("alone");
              case EXIT -> List.of();
            });
  }

  @Test
  void results_of_nodes_that_run_side_by_side_are_saved_at_once() throws Exception {
    var graph =
        Graph.named("two")
            .channels(SAID, OTHER)
            .node("ask", (_, context) -> Update.of(SAID, reply(context)))
            .node("idle", (_, _) -> Update.of(OTHER, "idle"))
            .edge(START, "ask")
            .edge(START, "idle")
            .edge("ask", END)
            .edge("idle", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none(), options())).get(SAID)).isEqualTo("reply 1");
    assertThat(writes).containsExactly("alone");
  }
}
