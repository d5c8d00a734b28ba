package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.event.Event;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("W24")
class RunStreamTest {
  static final Channel<Long, Long> TURNS = Channel.sum("turns");
  static final int MANY = 5_000;

  static Graph emitting(int events) {
    return graph((_, context) -> {
      for (int i = 0; i < events; i++) context.emit("tick", i);
      return Update.of(TURNS, 1L);
    });
  }

  static Graph graph(Node node) {
    return Graph.named("stream")
        .channels(TURNS)
        .node("a", node)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  @Test
  void a_slow_reader_loses_nothing() throws Exception {
    var ticks = new ArrayList<String>();
    var sequences = new ArrayList<Long>();
    try (var run = emitting(MANY).stream(Input.none(), RunOptions.defaults())) {
      for (var event : run) {
        sequences.add(event.origin().sequence());
        if (event instanceof Event.NodeEmitted tick) ticks.add(tick.payload().text());
        Thread.yield();
      }
      assertThat(completed(run.outcome()).get(TURNS)).isEqualTo(1);
    }
    assertThat(ticks).hasSize(MANY).startsWith("0", "1").endsWith("" + (MANY - 1));
    for (int i = 0; i < sequences.size(); i++) assertThat(sequences.get(i)).isEqualTo(i + 1L);
  }

  @Test
  void closing_a_stream_lets_the_run_go_on_unheard() throws Exception {
    var closed = new CountDownLatch(1);
    var ended = new CountDownLatch(1);
    var graph =
        graph((_, context) -> {
          closed.await();
          for (int i = 0; i < MANY; i++) context.emit("tick", i);
          return Update.of(TURNS, 1L);
        });
    var options = kept();
    var heard =
        options.listener(event -> {
          if (event instanceof Event.RunCompleted) ended.countDown();
        });
    var run = graph.stream(Input.none(), heard);
    run.close();
    closed.countDown();
    ended.await();
    assertThat(completed(run.outcome()).get(TURNS)).isEqualTo(1);
    assertThat(run).isEmpty();
  }

  @Test
  void waiting_for_the_outcome_frees_a_run_whose_events_nobody_reads() throws Exception {
    try (var run = emitting(MANY).stream(Input.none(), RunOptions.defaults())) {
      assertThat(completed(run.outcome()).get(TURNS)).isEqualTo(1);
    }
  }

  @Test
  void a_failed_run_ends_the_events_and_throws_from_the_outcome() throws Exception {
    var graph =
        graph((_, _) -> {
          throw new IllegalStateException("no");
        });
    var events = new ArrayList<Event>();
    try (var run = graph.stream(Input.none(), RunOptions.defaults())) {
      run.forEach(events::add);
      assertThat(thrown(NodeFailed.class, run::outcome)).hasMessageContaining("no");
    }
    assertThat(events.getLast()).isInstanceOf(Event.RunFailed.class);
  }

  @Test
  void a_bad_option_of_a_stream_is_thrown_from_the_outcome() throws Exception {
    var options =
        RunOptions.defaults().checkpoints(new dev.superstep.checkpoint.InMemoryCheckpointer());
    try (var run = emitting(1).stream(Input.none(), options)) {
      assertThat(run).isEmpty();
      thrown(IllegalArgumentException.class, run::outcome);
    }
  }

  @Test
  void resuming_as_a_stream_tells_the_answer_first() throws Exception {
    var ask = Question.of("ask", String.class, String.class);
    var graph =
        Graph.named("ask")
            .questions(ask)
            .node(
                "a",
                (_, context) -> {
                  context.interrupt(ask, "?");
                  return NodeResult.nothing();
                })
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var options = kept();
    var open = Runs.asked(graph.invoke(Input.none(), options)).getFirst();
    var events = new ArrayList<Event>();
    try (var run = graph.streamResume(Answers.of(open.id(), "x"), options)) {
      run.forEach(events::add);
    }
    assertThat(Runs.kinds(events))
        .isEqualTo(
            List.of(
                "run.resumed",
                "interrupt.answered",
                "step.started [a]",
                "node.started a",
                "node.finished a",
                "step.finished []",
                "run.completed"));
  }
}
