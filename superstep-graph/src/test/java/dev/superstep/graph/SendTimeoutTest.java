package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.NodeTimedOut;
import dev.superstep.node.Command;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Retry;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("T82")
@Tag("T73")
@Timeout(60)
class SendTimeoutTest {
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Target<String> EACH = Target.of("each", String.class);
  private static final Duration SOON = Duration.ofMillis(30);
  private static final Duration LONG = Duration.ofMinutes(5);

  /// Opened when a test is over, so that nodes left behind end.
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void open() {
    gate.countDown();
  }

  /// Waits if it is sent `slow`.
  private NodeResult work(String argument) throws InterruptedException {
    if (argument.equals("slow")) gate.await();
    return Update.of(LOG, argument);
  }

  private Graph graph(NodePolicy policy, List<Send<?>> sends) {
    return Graph.named("sends")
        .channels(LOG)
        .node("split", (_, _) -> NodeResult.nothing())
        .node(EACH, (argument, _, _) -> work(argument), policy)
        .edge(START, "split")
        .fanOut("split", _ -> sends, EACH)
        .edge("each", END)
        .compile();
  }

  private static List<Send<?>> one(Duration timeout) {
    return List.of(Send.to(EACH, "quick"), Send.to(EACH, "slow").timeout(timeout));
  }

  @Test
  void a_send_may_limit_the_time_of_its_task_alone() {
    var error =
        thrown(
            NodeFailed.class, () -> graph(NodePolicy.defaults(), one(SOON)).invoke(Input.none()));
    assertThat(error).hasCauseInstanceOf(NodeTimedOut.class).hasMessageContaining("PT0.03S");
  }

  @Test
  void the_limit_of_a_send_takes_the_place_of_that_of_the_node() throws Exception {
    var skip = NodePolicy.defaults().onFailure(OnFailure.skip());
    var shorter = graph(skip.timeout(LONG), one(SOON));
    assertThat(completed(shorter.invoke(Input.none())).get(LOG)).containsExactly("quick");

    // The node alone would time out: the send that is given more time opens the gate by itself.
    var passed = new AtomicBoolean();
    var longer =
        Graph.named("longer")
            .channels(LOG)
            .node("split", (_, _) -> NodeResult.nothing())
            .node(
                EACH,
                (argument, _, context) -> {
                  if (argument.equals("long")) {
                    passed.set(!gate.await(200, java.util.concurrent.TimeUnit.MILLISECONDS));
                  }
                  return Update.of(LOG, argument);
                },
                skip.timeout(Duration.ofMillis(20)))
            .edge(START, "split")
            .fanOut("split", _ -> List.of(Send.to(EACH, "long").timeout(LONG)), EACH)
            .edge("each", END)
            .compile();
    assertThat(completed(longer.invoke(Input.none())).get(LOG)).containsExactly("long");
    assertThat(passed).isTrue();
  }

  @Test
  void the_limit_bounds_each_attempt() {
    var policy = NodePolicy.defaults().retry(Retry.of(3));
    var options = RunOptions.defaults().sleeper(_ -> {});
    var error =
        thrown(NodeFailed.class, () -> graph(policy, one(SOON)).invoke(Input.none(), options));
    assertThat(error.attempts()).isEqualTo(3);
  }

  @Test
  void an_input_and_a_command_may_send_with_a_limit() {
    Node split = (_, _) -> Command.send(List.of(Send.to(EACH, "slow").timeout(SOON)));
    var byCommand =
        Graph.named("command")
            .channels(LOG)
            .node("split", split)
            .node(EACH, (argument, _, _) -> work(argument))
            .edge(START, "split")
            .destinations("split", "each")
            .edge("each", END)
            .compile();
    var sent = new Input(List.of(), List.of(), List.of(Send.to(EACH, "slow").timeout(SOON)));
    for (var input : List.of(Input.none(), sent)) {
      var error = thrown(NodeFailed.class, () -> byCommand.invoke(input));
      assertThat(error).hasCauseInstanceOf(NodeTimedOut.class);
    }
  }

  @Test
  void the_subgraph_of_a_sent_task_is_limited_as_a_whole() {
    var inner =
        Graph.named("inner")
            .channels(LOG)
            .node(
                "wait",
                (_, _) -> {
                  gate.await();
                  return NodeResult.nothing();
                })
            .edge(START, "wait")
            .edge("wait", END)
            .compile();
    var outer =
        Graph.named("outer")
            .channels(LOG)
            .node("split", (_, _) -> NodeResult.nothing())
            .node(
                EACH,
                Subgraph.of(inner, _ -> Input.none(), (State end) -> Update.all(LOG, end.get(LOG))))
            .edge(START, "split")
            .fanOut("split", _ -> List.of(Send.to(EACH, "slow").timeout(SOON)), EACH)
            .edge("each", END)
            .compile();
    var error = thrown(NodeFailed.class, () -> outer.invoke(Input.none()));
    assertThat(error).hasRootCauseInstanceOf(NodeTimedOut.class);
  }

  /// The task is due in a stored checkpoint, which another run continues.
  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_resumed_forked_or_rewound_thread_keeps_the_limit(Durability durability) throws Exception {
    for (boolean encrypted : List.of(false, true)) {
      var memory = new InMemoryCheckpointer();
      var store =
          encrypted ? EncryptedCheckpointer.over(memory, KeyRing.of("k", new byte[32])) : memory;
      var graph = graph(NodePolicy.defaults(), one(SOON));
      var options = RunOptions.thread("t").checkpoints(store).durability(durability);
      thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
      var again = thrown(NodeFailed.class, () -> graph.resume(Answers.none(), options));
      assertThat(again).hasCauseInstanceOf(NodeTimedOut.class);
      var head = graph.state(options).orElseThrow().checkpoint();
      Threads.in(store).fork("t", head, "forked");
      Threads.in(store).rewind("t", head);
      for (var name : List.of("t", "forked")) {
        var there = RunOptions.thread(name).checkpoints(store).durability(durability);
        var error = thrown(NodeFailed.class, () -> graph.resume(Answers.none(), there));
        assertThat(error).hasCauseInstanceOf(NodeTimedOut.class);
      }
    }
  }

  @Test
  void a_limit_is_positive() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Send.to(EACH, "a").timeout(Duration.ZERO))
        .withMessageContaining("timeout must be positive");
  }
}
