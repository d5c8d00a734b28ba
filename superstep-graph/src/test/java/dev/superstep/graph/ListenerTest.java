package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kinds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.EventHub;
import dev.superstep.event.EventListener;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ListenerTest {
  static final Channel<Long, Long> TURNS = Channel.sum("turns");

  static Graph graph() {
    return Graph.named("turns")
        .channels(TURNS)
        .node("a", (_, _) -> Update.of(TURNS, 1L))
        .edge(START, "a")
        .route("a", s -> s.get(TURNS) < 3 ? "a" : END, "a", END)
        .compile();
  }

  @Test
  @Tag("E13")
  @Tag("X21")
  void without_a_listener_no_event_is_made_and_the_clock_is_never_asked() throws Exception {
    var asked = new AtomicInteger();
    InstantSource clock =
        () -> {
          asked.incrementAndGet();
          return Instant.EPOCH;
        };
    var node = new AtomicInteger();
    var graph =
        Graph.named("quiet")
            .channels(TURNS)
            .node(
                "a",
                (_, context) -> {
                  context.emit("unheard", node.incrementAndGet());
                  return Update.of(TURNS, 1L);
                })
            .node("b", (_, _) -> NodeResult.nothing())
            .edge(START, "a")
            .edge(START, "b")
            .edge("b", END)
            .route("a", s -> s.get(TURNS) < 9 ? "a" : END, "a", END)
            .compile();
    completed(graph.invoke(Input.none(), RunOptions.defaults().clock(clock)));
    assertThat(node).hasValue(9);
    assertThat(asked).hasValue(0);
    completed(graph.invoke(Input.none(), RunOptions.defaults().clock(clock).listener(_ -> {})));
    assertThat(asked).hasPositiveValue();
  }

  @Test
  @Tag("E13")
  void an_event_hub_without_readers_causes_no_events() throws Exception {
    var asked = new AtomicInteger();
    InstantSource clock =
        () -> {
          asked.incrementAndGet();
          return Instant.EPOCH;
        };
    try (var hub = new EventHub()) {
      var options = RunOptions.defaults().clock(clock).listener(hub);
      completed(graph().invoke(Input.none(), options));
      assertThat(asked).hasValue(0);
      var late = hub.subscribe(EventFilter.all());
      completed(graph().invoke(Input.none(), options));
      assertThat(asked).hasPositiveValue();
      hub.close();
      var heard = new ArrayList<Event>();
      late.forEach(heard::add);
      assertThat(kinds(heard)).startsWith("run.started").endsWith("run.completed");
    }
  }

  /// Cannot even say whether it listens.
  private record Broken() implements EventListener {
    @Override
    public void on(Event event) {}

    @Override
    public boolean isListening() {
      throw new IllegalStateException("listener");
    }
  }

  @Test
  @Tag("G28")
  void a_listener_that_throws_is_removed_and_the_others_hear_everything() throws Exception {
    var log = Logger.getLogger("dev.superstep.graph");
    var before = log.getLevel();
    log.setLevel(Level.OFF);
    try {
      for (Throwable problem :
          List.of(new IllegalStateException("listener"), new AssertionError("listener"))) {
        var heard = new AtomicInteger();
        var events = new ArrayList<Event>();
        var options =
            RunOptions.defaults()
                .listener(_ -> {
                  heard.incrementAndGet();
                  if (problem instanceof Error e) throw e;
                  throw (RuntimeException) problem;
                })
                .listener(events::add);
        assertThat(completed(graph().invoke(Input.none(), options)).get(TURNS)).isEqualTo(3);
        assertThat(heard).hasValue(1);
        assertThat(kinds(events)).startsWith("run.started").endsWith("run.completed");
      }
      var broken = RunOptions.defaults().listener(new Broken());
      assertThat(completed(graph().invoke(Input.none(), broken)).get(TURNS)).isEqualTo(3);
    } finally {
      log.setLevel(before);
    }
  }

  @Test
  void events_are_numbered_without_gaps_and_come_in_order_from_many_tasks() throws Exception {
    var work = Target.of("work", Integer.class);
    var graph =
        Graph.named("many")
            .channels(TURNS)
            .node(
                work,
                (n, _, context) -> {
                  context.emit("half", n);
                  Thread.yield();
                  return Update.of(TURNS, 1L);
                })
            .fanOut(
                START,
                _ -> {
                  var sends = new ArrayList<Send<?>>();
                  for (int i = 0; i < 200; i++) sends.add(Send.to(work, i));
                  return sends;
                },
                work)
            .edge("work", END)
            .compile();
    var events = new ArrayList<Event>();
    completed(
        graph.invoke(Input.none(), RunOptions.defaults().listener(events::add).concurrency(32)));
    assertThat(events).hasSize(1 + 1 + 3 * 200 + 1 + 1);
    for (int i = 0; i < events.size(); i++) {
      assertThat(events.get(i).origin().sequence()).isEqualTo(i + 1L);
    }
    for (var event : events) {
      if (!(event instanceof Event.NodeFinished end)) continue;
      int started = indexOf(events, Event.NodeStarted.class, end.task());
      int emitted = indexOf(events, Event.NodeEmitted.class, end.task());
      assertThat(List.of(started, emitted, events.indexOf(event))).isSorted();
    }
  }

  private static int indexOf(List<Event> events, Class<? extends Event> kind, String task) {
    for (int i = 0; i < events.size(); i++) {
      var event = events.get(i);
      if (!kind.isInstance(event)) continue;
      if (event instanceof Event.NodeStarted e && e.task().equals(task)) return i;
      if (event instanceof Event.NodeEmitted e && e.task().equals(task)) return i;
    }
    throw new AssertionError("no " + kind.getSimpleName() + " of " + task);
  }

  @Test
  void every_event_has_its_superstep() throws Exception {
    var ask = Question.of("ask", String.class, String.class);
    var graph =
        Graph.named("steps")
            .channels(TURNS)
            .questions(ask)
            .node("a", (_, _) -> Update.of(TURNS, 1L))
            .node(
                "b",
                (_, context) -> {
                  context.interrupt(ask, "?");
                  return NodeResult.nothing();
                })
            .edge(START, "a")
            .edge("a", "b")
            .edge("b", END)
            .compile();
    var events = new ArrayList<Event>();
    Runs.asked(graph.invoke(Input.none(), Runs.kept().listener(events::add)));
    assertThat(events)
        .extracting(e -> e.origin().step())
        .containsExactly(0, 1, 1, 1, 1, 2, 2, 2, 2);
  }

  @Test
  void a_listener_that_throws_an_error_is_removed_too() throws Exception {
    var heard = new java.util.concurrent.atomic.AtomicInteger();
    var graph =
        Graph.named("one")
            .node("a", (_, _) -> NodeResult.nothing())
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var options =
        RunOptions.defaults()
            .listener(_ -> {
              heard.incrementAndGet();
              throw new Error("broken");
            });
    assertThat(graph.invoke(Input.none(), options)).isInstanceOf(Outcome.Completed.class);
    assertThat(heard).hasValue(1);
  }
}
