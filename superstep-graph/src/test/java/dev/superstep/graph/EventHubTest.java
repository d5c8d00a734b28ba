package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kinds;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Backlog;
import dev.superstep.event.BacklogFull;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.EventHub;
import dev.superstep.event.Kind;
import dev.superstep.json.Codec;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T126")
@Tag("G28")
class EventHubTest {
  static final Channel<Long, Long> TURNS = Channel.sum("turns");
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);

  static Graph asking() {
    return Graph.named("asking")
        .channels(TURNS)
        .questions(ASK)
        .node(
            "a",
            (_, context) -> {
              context.emit("asking", true);
              context.interrupt(ASK, "?");
              return Update.of(TURNS, 1L);
            })
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  static Graph ticking(int ticks) {
    return Graph.named("ticking")
        .channels(TURNS)
        .node(
            "a",
            (_, context) -> {
              for (int i = 0; i < ticks; i++) context.emit("tick", i);
              return Update.of(TURNS, 1L);
            })
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  static List<Event> rest(EventHub hub, Iterable<Event> subscription) {
    hub.close();
    var events = new ArrayList<Event>();
    subscription.forEach(events::add);
    return events;
  }

  @Test
  void a_reader_of_a_thread_receives_the_events_of_all_its_runs_and_no_others() throws Exception {
    var hub = new EventHub();
    var store = new InMemoryCheckpointer();
    var one = RunOptions.thread("one").checkpoints(store).listener(hub, Detail.VALUES);
    var two = RunOptions.thread("two").checkpoints(store).listener(hub, Detail.VALUES);
    var all = hub.subscribe(EventFilter.thread("one"));
    var lifecycle = hub.subscribe(EventFilter.thread("one").and(EventFilter.kinds(Kind.LIFECYCLE)));
    var state = hub.subscribe(EventFilter.thread("one").and(EventFilter.kinds(Kind.VALUES)));
    var open = asked(asking().invoke(Input.none(), one)).getFirst();
    asked(asking().invoke(Input.none(), two));
    completed(asking().resume(Answers.of(open.id(), "x"), one));
    assertThat(kinds(rest(hub, lifecycle)))
        .containsExactly(
            "run.started",
            "step.started [a]",
            "node.started a",
            "run.interrupted 1",
            "run.resumed",
            "step.started [a]",
            "node.started a",
            "node.finished a",
            "step.finished []",
            "run.completed");
    assertThat(kinds(rest(hub, state)))
        .containsExactly(
            "state.values {turns=0}", "state.values {turns=0}", "state.values {turns=1}");
    var everything = rest(hub, all);
    assertThat(everything).extracting(e -> e.origin().thread().orElseThrow()).containsOnly("one");
    assertThat(everything)
        .extracting(e -> e.origin().run())
        .contains(everything.getFirst().origin().run(), everything.getLast().origin().run());
    assertThat(everything.getFirst().origin().run())
        .isNotEqualTo(everything.getLast().origin().run());
  }

  @Test
  void a_slow_reader_loses_the_oldest_events_and_learns_how_many() throws Exception {
    var hub = new EventHub();
    var slow = hub.subscribe(EventFilter.all(), Backlog.droppingOldest().withCapacity(3));
    var patient = hub.subscribe(EventFilter.all());
    completed(ticking(10).invoke(Input.none(), RunOptions.defaults().listener(hub)));
    var heard = rest(hub, slow);
    assertThat(kinds(heard))
        .containsExactly(
            "events.dropped 13", "node.finished a", "step.finished []", "run.completed");
    assertThat(heard).extracting(e -> e.origin().sequence()).containsExactly(13L, 14L, 15L, 16L);
    assertThat(slow.lost()).isEqualTo(13);
    assertThat(rest(hub, patient)).hasSize(16);
    assertThat(patient.lost()).isZero();
  }

  @Test
  void lost_events_are_reported_at_their_place_in_the_stream() throws Exception {
    var hub = new EventHub();
    var events = new ArrayList<Event>();
    completed(ticking(6).invoke(Input.none(), RunOptions.defaults().listener(events::add)));
    var slow = hub.subscribe(EventFilter.all(), Backlog.droppingOldest().withCapacity(2));
    var reader = slow.iterator();
    for (int i = 0; i < 2; i++) hub.on(events.get(i));
    assertThat(reader.next()).isEqualTo(events.get(0));
    for (int i = 2; i < 6; i++) hub.on(events.get(i));
    assertThat(reader.next()).isEqualTo(new Event.EventsDropped(events.get(3).origin(), 3));
    assertThat(reader.next()).isEqualTo(events.get(4));
    assertThat(reader.next()).isEqualTo(events.get(5));
    hub.close();
    assertThat(reader.hasNext()).isFalse();
    assertThat(slow.lost()).isEqualTo(3);
  }

  @Test
  @Tag("T114")
  void a_reader_that_drops_the_newest_loses_events_while_it_is_behind() throws Exception {
    var hub = new EventHub();
    var events = new ArrayList<Event>();
    completed(ticking(6).invoke(Input.none(), RunOptions.defaults().listener(events::add)));
    var slow = hub.subscribe(EventFilter.all(), Backlog.droppingNewest().withCapacity(2));
    var reader = slow.iterator();
    for (int i = 0; i < 4; i++) hub.on(events.get(i));
    assertThat(reader.next()).isEqualTo(events.get(0));
    hub.on(events.get(4));
    assertThat(reader.next()).isEqualTo(events.get(1));
    assertThat(reader.next()).isEqualTo(new Event.EventsDropped(events.get(3).origin(), 2));
    assertThat(reader.next()).isEqualTo(events.get(4));
    hub.close();
    assertThat(reader.hasNext()).isFalse();
    assertThat(slow.lost()).isEqualTo(2);
  }

  @Test
  @Tag("T114")
  void a_reader_that_must_not_lose_events_fails_at_the_first_loss_without_failing_the_run()
      throws Exception {
    var hub = new EventHub();
    var strict = hub.subscribe(EventFilter.all(), Backlog.failing().withCapacity(3));
    completed(ticking(10).invoke(Input.none(), RunOptions.defaults().listener(hub)));
    var reader = strict.iterator();
    for (int i = 0; i < 3; i++) assertThat(reader.next().origin().sequence()).isEqualTo(i + 1);
    assertThatThrownBy(reader::hasNext)
        .isInstanceOf(BacklogFull.class)
        .hasMessageStartingWith("3 events wait for a reader, and no more may.");
  }

  @Test
  void a_run_waits_for_a_blocking_reader() throws Exception {
    var hub = new EventHub();
    var all = hub.subscribe(EventFilter.all(), Backlog.blocking().withCapacity(1));
    var heard = new ArrayList<Event>();
    var reader = Thread.ofVirtual().start(() -> all.forEach(heard::add));
    completed(ticking(500).invoke(Input.none(), RunOptions.defaults().listener(hub)));
    hub.close();
    reader.join();
    assertThat(heard).hasSize(506);
    assertThat(all.lost()).isZero();
  }

  @Test
  void closing_a_hub_frees_a_run_that_waits_for_a_reader() throws Exception {
    var hub = new EventHub();
    hub.subscribe(EventFilter.all(), Backlog.blocking().withCapacity(1));
    var waits = new CountDownLatch(1);
    var events = new ArrayList<Event>();
    var options =
        RunOptions.defaults()
            .listener(event -> {
              events.add(event);
              if (events.size() == 2) waits.countDown();
            })
            .listener(hub);
    try (var run = ticking(500).stream(Input.none(), options)) {
      waits.await();
      hub.close();
      completed(run.outcome());
    }
    assertThat(events).hasSize(506);
  }

  @Test
  void a_listener_that_throws_is_removed_without_other_effects() throws Exception {
    var log = Logger.getLogger("dev.superstep.event");
    var before = log.getLevel();
    log.setLevel(Level.OFF);
    try {
      var hub = new EventHub();
      var calls = new AtomicInteger();
      var ended = new CountDownLatch(1);
      var broken =
          hub.deliver(
              EventFilter.all(),
              Backlog.blocking().withCapacity(1),
              _ -> {
                calls.incrementAndGet();
                throw new IllegalStateException("listener");
              });
      var heard = new ArrayList<Event>();
      hub.deliver(
          EventFilter.all(),
          Backlog.blocking(),
          event -> {
            heard.add(event);
            if (event instanceof Event.RunCompleted) ended.countDown();
          });
      completed(ticking(50).invoke(Input.none(), RunOptions.defaults().listener(hub)));
      ended.await();
      assertThat(calls).hasValue(1);
      assertThat(heard).hasSize(56);
      assertThat(broken).isEmpty();
    } finally {
      log.setLevel(before);
    }
  }

  @Test
  void a_closed_subscription_and_one_at_a_closed_hub_have_no_events() throws Exception {
    var hub = new EventHub();
    var closed = hub.subscribe(EventFilter.all());
    completed(ticking(1).invoke(Input.none(), RunOptions.defaults().listener(hub)));
    closed.close();
    assertThat(closed).isEmpty();
    hub.close();
    assertThat(hub.subscribe(EventFilter.all())).isEmpty();
    completed(ticking(1).invoke(Input.none(), RunOptions.defaults().listener(hub)));
  }

  @Test
  void a_backlog_holds_at_least_one_event() {
    assertThat(thrown(IllegalArgumentException.class, () -> Backlog.blocking().withCapacity(0)))
        .hasMessage("capacity must be at least 1, was 0");
  }

  @Test
  @Tag("T102")
  void events_are_chosen_by_run_thread_graph_node_kind_and_path() throws Exception {
    var outer =
        Graph.named("outer")
            .channels(TURNS)
            .node(
                "inner",
                Subgraph.of(
                    ticking(1), (State _) -> Input.none(), s -> Update.of(TURNS, s.get(TURNS))))
            .edge(START, "inner")
            .edge("inner", END)
            .compile();
    var events = new ArrayList<Event>();
    completed(outer.invoke(Input.none(), Runs.kept().listener(events::add)));
    var run = events.getFirst().origin().run();
    assertThat(chosen(events, EventFilter.run(run))).isEqualTo(events);
    assertThat(chosen(events, EventFilter.thread("t"))).isEqualTo(events);
    assertThat(chosen(events, EventFilter.within())).isEqualTo(events);
    assertThat(chosen(events, EventFilter.run("other"))).isEmpty();
    assertThat(chosen(events, EventFilter.thread("other"))).isEmpty();
    var inside =
        List.of(
            "subgraph.started [inner]",
            "step.started [a]",
            "node.started a",
            "node.emitted tick",
            "node.finished a",
            "step.finished []",
            "subgraph.completed [inner]");
    assertThat(kinds(chosen(events, EventFilter.within("inner")))).isEqualTo(inside);
    assertThat(kinds(chosen(events, EventFilter.graph("ticking")))).isEqualTo(inside);
    assertThat(chosen(events, EventFilter.within("inner", "deeper"))).isEmpty();
    var node = EventFilter.node("a");
    assertThat(kinds(chosen(events, node))).isEqualTo(inside.subList(2, 5));
    assertThat(kinds(chosen(events, node.and(EventFilter.kinds(Kind.CUSTOM)))))
        .containsExactly("node.emitted tick");
    assertThat(kinds(chosen(events, node.or(EventFilter.graph("outer")).not())))
        .containsExactly(
            "subgraph.started [inner]",
            "step.started [a]",
            "step.finished []",
            "subgraph.completed [inner]");
  }

  @Test
  void a_filter_is_data() {
    EventFilter filter =
        EventFilter.thread("t")
            .and(EventFilter.kinds(Kind.VALUES).or(EventFilter.node("a").not()))
            .or(EventFilter.channel("turns"));
    var codec = Codec.of(EventFilter.class);
    assertThat(codec.decode(codec.encode(filter))).isEqualTo(filter);
  }

  private static List<Event> chosen(List<Event> events, EventFilter filter) {
    return events.stream().filter(filter::matches).toList();
  }

  @RepeatedTest(50)
  void subscribing_reading_and_closing_race_the_end_of_a_run() throws Exception {
    var hub = new EventHub();
    var early = hub.subscribe(EventFilter.all(), Backlog.blocking().withCapacity(2));
    var start = new CyclicBarrier(4);
    var heard = new ArrayList<Event>();
    var reader =
        Thread.ofVirtual()
            .start(() -> {
              await(start);
              early.forEach(heard::add);
            });
    var closer =
        Thread.ofVirtual()
            .start(() -> {
              var leaving = hub.subscribe(EventFilter.all(), Backlog.blocking().withCapacity(1));
              await(start);
              leaving.close();
            });
    var late = new ArrayList<Event>();
    var joiner =
        Thread.ofVirtual()
            .start(() -> {
              await(start);
              hub.subscribe(EventFilter.all()).forEach(late::add);
            });
    start.await();
    completed(ticking(20).invoke(Input.none(), RunOptions.defaults().listener(hub)));
    hub.close();
    reader.join();
    closer.join();
    joiner.join();
    assertThat(heard).hasSize(26);
    assertThat(heard).extracting(e -> e.origin().sequence()).isSorted();
    // Who came late hears the rest, without gaps.
    assertThat(late).isEqualTo(heard.subList(26 - late.size(), 26));
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
