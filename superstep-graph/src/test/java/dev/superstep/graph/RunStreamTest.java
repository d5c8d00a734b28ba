package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.NodeFailed;
import dev.superstep.event.Backlog;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.Kind;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.RepeatedTest;
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
  void closing_a_stream_does_not_stop_its_run() throws Exception {
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
  void waiting_for_the_outcome_unblocks_a_run_with_unread_events() throws Exception {
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
  void a_resumed_stream_publishes_the_answer_first() throws Exception {
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

  @Test
  @Tag("T101")
  void a_filtered_stream_still_knows_the_outcome_and_the_questions() throws Exception {
    var ask = Question.of("ask", String.class, String.class);
    var graph =
        Graph.named("ask")
            .questions(ask)
            .node(
                "a",
                (_, context) -> {
                  for (int i = 0; i < MANY; i++) context.emit("tick", i);
                  context.interrupt(ask, "?");
                  return NodeResult.nothing();
                })
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var events = new ArrayList<Event>();
    try (var run = graph.stream(Input.none(), kept())) {
      run.only(EventFilter.kinds(Kind.VALUES)).forEach(events::add);
      assertThat(Runs.asked(run.outcome())).hasSize(1);
    }
    assertThat(events).isEmpty();
    try (var run = graph.stream(Input.none(), kept().details(Detail.VALUES))) {
      run.only(EventFilter.kinds(Kind.VALUES)).forEach(events::add);
    }
    assertThat(Runs.kinds(events)).containsExactly("state.values {}");
  }

  @Test
  @Tag("G28")
  void a_stream_may_drop_events_of_a_slow_reader() throws Exception {
    var options = RunOptions.defaults().backlog(Backlog.droppingOldest().withCapacity(2));
    var ended = new CountDownLatch(1);
    var heard =
        options.listener(event -> {
          if (event instanceof Event.RunCompleted) ended.countDown();
        });
    try (var run = emitting(MANY).stream(Input.none(), heard)) {
      ended.await();
      assertThat(completed(endOf(run)).get(TURNS)).isEqualTo(1);
    }
  }

  private static Outcome endOf(RunStream run) throws InterruptedException {
    var events = new ArrayList<Event>();
    run.forEach(events::add);
    assertThat(events.getFirst()).isInstanceOf(Event.EventsDropped.class);
    assertThat(events.getLast()).isInstanceOf(Event.RunCompleted.class);
    long told = 0;
    for (var event : events) told += event instanceof Event.EventsDropped e ? e.count() : 1;
    assertThat(told).isEqualTo(MANY + 6);
    assertThat(run.lost()).isGreaterThanOrEqualTo(MANY + 3);
    return run.outcome();
  }

  @Test
  void closing_a_stream_cancels_its_run_if_that_was_asked_for() throws Exception {
    var begun = new CountDownLatch(1);
    var never = new CountDownLatch(1);
    var graph =
        graph((_, _) -> {
          begun.countDown();
          never.await();
          return NodeResult.nothing();
        });
    var run = graph.stream(Input.none(), RunOptions.defaults()).cancelOnClose();
    begun.await();
    run.close();
    assertThat(run.outcome()).isInstanceOf(Outcome.Stopped.class);
  }

  @RepeatedTest(30)
  void reading_closing_and_cancelling_race_the_end_of_the_run() throws Exception {
    var run =
        emitting(20).stream(
            Input.none(), RunOptions.defaults().backlog(Backlog.blocking().withCapacity(1)));
    var start = new CountDownLatch(1);
    var events = new ArrayList<Event>();
    var reader =
        Thread.ofVirtual()
            .start(() -> {
              for (var event : run) {
                events.add(event);
                if (events.size() == 15) start.countDown();
              }
            });
    var canceller =
        Thread.ofVirtual()
            .start(() -> {
              awaiting(start);
              run.cancel();
            });
    start.await();
    reader.join();
    canceller.join();
    var outcome = run.outcome();
    for (int i = 0; i < events.size(); i++) {
      assertThat(events.get(i).origin().sequence()).isEqualTo(i + 1L);
    }
    var last = outcome instanceof Outcome.Completed ? "run.completed" : "run.stopped";
    assertThat(Runs.kinds(events)).endsWith(last);
  }

  @RepeatedTest(30)
  void closing_races_the_end_of_the_run() throws Exception {
    var run =
        emitting(20).stream(
            Input.none(), RunOptions.defaults().backlog(Backlog.blocking().withCapacity(1)));
    var start = new CountDownLatch(1);
    var closer =
        Thread.ofVirtual()
            .start(() -> {
              awaiting(start);
              run.close();
            });
    int read = 0;
    for (var event : run) {
      assertThat(event.origin().sequence()).isEqualTo(++read);
      if (read == 20) start.countDown();
    }
    closer.join();
    assertThat(read).isBetween(20, 26);
    assertThat(completed(run.outcome()).get(TURNS)).isEqualTo(1);
  }

  private static void awaiting(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
