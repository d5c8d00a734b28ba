package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.InvalidGraph;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.EventHub;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One thread over many calls: what counts on, what begins anew, what is shared and what is not.
@Timeout(60)
class SessionTest {
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Channel<String, String> TEXT = Channel.latest("text", String.class);
  private static final Question<String, String> ASK =
      Question.of("ask", String.class, String.class);
  private static final ContextKey<AtomicInteger> SHARED =
      ContextKey.of("shared", AtomicInteger.class);

  private static Graph gated() {
    return Graph.named("gated")
        .channels(LOG, TEXT)
        .node("first", (_, context) -> Update.of(LOG, "first " + context.step()))
        .node("gated", (_, context) -> Update.of(LOG, "gated " + context.step()))
        .edge(START, "first")
        .edge("first", "gated")
        .edge("gated", END)
        .runWhenChanged("gated", TEXT)
        .compile();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @Tag("G31")
  void each_call_goes_on_from_the_last_state_and_gates_begin_anew(Durability when)
      throws Exception {
    var options = kept().durability(when);
    for (int call = 1; call <= 3; call++) {
      var end = completed(gated().invoke(Input.of(TEXT, "the same"), options));
      assertThat(end.get(LOG)).hasSize(2 * call);
      assertThat(end.get(LOG).getLast())
          .as("the gate is open once in each call")
          .startsWith("gated");
    }
    var history = gated().history(Optional.empty(), 100, options);
    assertThat(history.stream().map(Checkpoint::run).distinct()).hasSize(3);
  }

  @Test
  @Tag("G31")
  void supersteps_count_on_over_the_calls_of_a_thread() throws Exception {
    var options = kept();
    for (int call = 0; call < 3; call++) gated().invoke(Input.of(TEXT, "x"), options);
    var steps =
        gated().history(Optional.empty(), 100, options).reversed().stream()
            .map(Checkpoint::step)
            .toList();
    assertThat(steps).isSorted().hasSize(9);
  }

  @Test
  @Tag("G31")
  void the_end_of_a_call_is_an_event_and_the_end_of_a_stream_is_that_of_its_reader()
      throws Exception {
    var store = new InMemoryCheckpointer();
    try (var hub = new EventHub()) {
      var reader = hub.subscribe(EventFilter.thread("t"));
      var options = RunOptions.thread("t").checkpoints(store).listener(hub);
      for (int call = 0; call < 2; call++) gated().invoke(Input.of(TEXT, "x"), options);
      hub.close();
      var ends = new ArrayList<String>();
      for (var event : reader) {
        if (event instanceof Event.RunCompleted end) ends.add(end.origin().run());
      }
      assertThat(ends).as("the reader saw both calls end, and went on").hasSize(2);
      assertThat(ends).doesNotHaveDuplicates();
    }
  }

  @Test
  @Tag("G31")
  void the_end_is_no_entry() {
    var builder =
        Graph.named("nothing")
            .channels(LOG)
            .node("a", (_, _) -> NodeResult.nothing())
            .edge(START, END)
            .edge("a", END);
    assertThat(thrown(InvalidGraph.class, builder::compile).problems()).isNotEmpty();
  }

  private static Graph asking() {
    return Graph.named("asking")
        .channels(LOG)
        .questions(ASK)
        .node(
            "two",
            (_, context) ->
                Update.of(
                    LOG, context.interrupt(ASK, "first?") + context.interrupt(ASK, "second?")))
        .node("one", (_, context) -> Update.of(LOG, context.interrupt(ASK, "other?")))
        .edge(START, "two")
        .edge(START, "one")
        .edge("two", END)
        .edge("one", END)
        .compile();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @Tag("T97")
  void questions_are_saved_when_they_are_returned_and_stale_answers_are_refused(Durability when)
      throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store).durability(when);
    var open = asked(asking().invoke(Input.none(), options));
    var elsewhere = RunOptions.thread("t").checkpoints(store);
    assertThat(asking().state(elsewhere).orElseThrow().questions())
        .as("another process sees what was returned")
        .isEqualTo(open);
    assertThat(open).extracting(q -> ASK.read(q)).containsExactly("first?", "other?");
    var first = open.getFirst().id();
    // A sibling stays where it is, and the task asks its second question.
    var next = asked(asking().resume(Answers.of(first, "A"), options));
    assertThat(next).extracting(q -> ASK.read(q)).containsExactly("second?", "other?");
    var stale = Answers.of(first, "again");
    assertThat(thrown(AnswerRejected.class, () -> asking().resume(stale, options)))
        .hasMessageContaining(first);
    assertThat(asking().state(options).orElseThrow().questions()).isEqualTo(next);
    var byId = Answers.of(next.getLast().id(), "C").and(Answers.of(next.getFirst().id(), "B"));
    assertThat(completed(asking().resume(byId, options)).get(LOG)).containsExactly("AB", "C");
    thrown(AnswerRejected.class, () -> asking().resume(byId, options));
  }

  private static String note(NodeContext context) {
    context.shared(SHARED, AtomicInteger::new).incrementAndGet();
    context.store().put(Namespace.of("n"), context.task(), context.task());
    return context.run() + " " + context.thread().orElseThrow() + " " + context.metadata();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @Tag("T87")
  void forks_share_what_belongs_to_the_run_and_have_tasks_steps_and_random_numbers_of_their_own(
      Durability when) throws Exception {
    var effects = new AtomicInteger();
    var seen = new ConcurrentHashMap<String, String>();
    var shared = new ConcurrentHashMap<String, Integer>();
    var failing = new AtomicInteger(1);
    var graph =
        Graph.named("forks")
            .channels(LOG)
            .node(
                "fork",
                (_, context) -> {
                  var outer = note(context);
                  var results =
                      Parallel.over(List.of(1, 2, 3))
                          .map(
                              context,
                              (item, fork) -> {
                                assertThat(note(fork)).isEqualTo(outer);
                                assertThat(fork.node()).isEqualTo(context.node());
                                seen.put(fork.task(), "" + fork.random().nextLong());
                                return fork.step("once", Integer.class, effects::incrementAndGet);
                              });
                  shared.put("used", context.shared(SHARED, AtomicInteger::new).get());
                  if (failing.getAndDecrement() > 0) throw new IllegalStateException("after them");
                  return Update.of(LOG, "" + results.succeeded().size());
                })
            .edge(START, "fork")
            .edge("fork", END)
            .compile();
    var store = InMemoryStore.open();
    var options = kept().durability(when).store(store).metadata("who", "ada");
    thrown(dev.superstep.error.NodeFailed.class, () -> graph.invoke(Input.none(), options));
    assertThat(shared).isEqualTo(Map.of("used", 4));
    var first = Map.copyOf(seen);
    assertThat(first).hasSize(3);
    assertThat(first.values()).doesNotHaveDuplicates();
    if (when == Durability.EXIT) return;
    assertThat(completed(graph.resume(Answers.none(), options)).get(LOG)).containsExactly("3");
    assertThat(seen).as("the same ids and numbers in every run").isEqualTo(first);
    assertThat(effects).as("each fork's step has run once").hasValue(3);
  }
}
