package dev.superstep.testkit;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.event.EventListener;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The conformance tests of an [EventListener]. It must accept events of all kinds without an
/// exception, because a run removes a listener that throws, and must accept events of several runs
/// at once, if they share it. A test class implements this interface, as with [CheckpointerSuite].
@Timeout(60)
public interface EventListenerSuite {
  /// Events that a listener hears in less than the time that a test may take.
  int MANY = 10_000;

  /// The listener. Called once for each test.
  EventListener fresh();

  @Test
  default void it_accepts_the_events_of_completed_interrupted_and_failed_runs()
      throws InterruptedException {
    var listener = fresh();
    for (var event : events()) listener.on(event);
    assertThat(events()).hasSizeGreaterThan(10);
  }

  @Test
  default void several_runs_share_it() throws Exception {
    var listener = fresh();
    var events = events();
    var heard =
        ConcurrentCalls.run(
            8,
            _ -> {
              for (var event : events) listener.on(event);
              return events.size();
            });
    assertThat(heard).hasSize(8).containsOnly(events.size());
  }

  @Test
  default void is_listening_may_be_called_on_any_thread() throws Exception {
    var listener = fresh();
    boolean before = listener.isListening();
    assertThat(ConcurrentCalls.run(8, _ -> listener.isListening())).hasSize(8).containsOnly(before);
  }

  @Test
  default void many_events_do_not_hold_a_run_up() throws InterruptedException {
    var listener = fresh();
    var events = events();
    int heard = 0;
    for (; heard < MANY; heard++) listener.on(events.get(heard % events.size()));
    assertThat(heard).isEqualTo(MANY);
  }

  private static List<Event> events() throws InterruptedException {
    var value = Channel.latest("value", String.class);
    var question = Question.of("which", String.class, String.class);
    var inner =
        Graph.named("inner")
            .channels(value)
            .node("write", (_, _) -> Update.of(value, "text"))
            .edge(START, "write")
            .edge("write", END)
            .compile();
    var graph =
        Graph.named("outer")
            .channels(value)
            .questions(question)
            .node("inside", Subgraph.shared(inner))
            .node("ask", (_, context) -> Update.of(value, context.interrupt(question, "which?")))
            .edge(START, "inside")
            .edge("inside", "ask")
            .edge("ask", END)
            .compile();
    var recorder = new EventRecorder();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer()).listener(recorder);
    inner.invoke(Input.none(), RunOptions.defaults().listener(recorder));
    graph.invoke(Input.none(), options);
    fail(recorder);
    return new ArrayList<>(recorder.events());
  }

  private static void fail(EventRecorder recorder) throws InterruptedException {
    var broken =
        Graph.named("broken")
            .node(
                "throw",
                (_, _) -> {
                  throw new IllegalStateException("on purpose");
                })
            .edge(START, "throw")
            .edge("throw", END)
            .compile();
    try {
      broken.invoke(Input.none(), RunOptions.defaults().listener(recorder));
    } catch (NodeFailed expected) {
      assertThat(expected.getMessage()).contains("on purpose");
    }
  }
}
