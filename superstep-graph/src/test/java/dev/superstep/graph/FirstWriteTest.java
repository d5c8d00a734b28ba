package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.countingIds;
import static dev.superstep.graph.Runs.kinds;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.AcquiredThread;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.FirstWrite;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.IdleThread;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.AnswerRejected;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.node.Ask;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A run acquires a thread that nobody holds with its first write, and is otherwise as one that
/// acquires it before.
final class FirstWriteTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);
  private static final Duration LONG = Duration.ofHours(1);

  private final InMemoryCheckpointer memory = new InMemoryCheckpointer();
  private final List<String> calls = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private Runnable between = () -> {};

  /// Notes how a thread is acquired, and lets others come first.
  private final class Watched extends ForwardingCheckpointer implements CombinedCalls {
    Watched() {
      super(memory);
    }

    @Override
    public AcquiredThread acquireThread(String thread, String owner, Duration time) {
      calls.add("acquireThread");
      return memory.acquireThread(thread, owner, time);
    }

    @Override
    public Optional<IdleThread> idleThread(String thread) {
      return memory.idleThread(thread);
    }

    @Override
    public Optional<Lease> acquireWith(
        IdleThread idle, String owner, Duration time, FirstWrite write) {
      calls.add("acquireWith");
      assertThat(events).as("published before it is safe").isEmpty();
      var others = between;
      between = () -> {};
      others.run();
      return memory.acquireWith(idle, owner, time, write);
    }
  }

  private RunOptions watched() {
    return RunOptions.thread("t").checkpoints(new Watched()).listener(events::add);
  }

  private RunOptions other() {
    return RunOptions.thread("t").checkpoints(memory);
  }

  private static Node asking() {
    return (_, context) -> Update.of(SAID, context.interrupt(WHAT, "what?"));
  }

  private static Graph line(String... nodes) {
    var builder = Graph.named("g").channels(SAID).questions(WHAT);
    var before = START;
    for (var node : nodes) {
      builder
          .node(node, node.equals("ask") ? asking() : (_, _) -> Update.of(SAID, node))
          .edge(before, node);
      before = node;
    }
    return builder.edge(before, END).compile();
  }

  private static void quietly(Graph graph, Input input, RunOptions options) {
    try {
      graph.invoke(input, options);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void input_and_answers_acquire_the_thread() throws Exception {
    var graph = line("ask", "end");
    asked(graph.invoke(Input.of(SAID, "hello"), watched()));
    assertThat(calls).containsExactly("acquireWith");
    assertThat(kinds(events).getFirst()).isEqualTo("run.started");
    events.clear();
    completed(graph.resume(Answers.to(WHAT, "this"), watched()));
    assertThat(calls).containsExactly("acquireWith", "acquireWith");
    assertThat(kinds(events)).startsWith("run.resumed", "interrupt.answered");
    assertThat(memory.find("t").orElseThrow().holder()).isEmpty();
  }

  @Test
  void a_resumption_without_answers_acquires_the_thread_before_it_runs_anything() throws Exception {
    var graph = line("ask", "end");
    asked(graph.invoke(Input.none(), watched()));
    calls.clear();
    asked(graph.resume(Answers.none(), watched()));
    assertThat(calls).containsExactly("acquireThread");
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"ASYNC", "EXIT"})
  void writes_that_come_later_need_the_thread_before(Durability durability) throws Exception {
    completed(line("a").invoke(Input.none(), watched().durability(durability)));
    assertThat(calls).containsExactly("acquireThread");
  }

  @Test
  void a_run_continues_from_what_another_one_made_of_the_thread_in_between() throws Exception {
    var graph = line("a");
    completed(graph.invoke(Input.of(SAID, "first"), other()));
    between = () -> quietly(graph, Input.of(SAID, "second"), other());
    var state = completed(graph.invoke(Input.of(SAID, "third"), watched()));
    assertThat(state.get(SAID)).containsExactly("first", "a", "second", "a", "third", "a");
    assertThat(calls).containsExactly("acquireWith", "acquireThread");
    assertThat(kinds(events))
        .containsExactly(
            "run.started",
            "step.started [a]",
            "node.started a",
            "node.finished a",
            "step.finished []",
            "run.completed");
  }

  @Test
  void a_thread_that_another_one_acquires_in_between_is_busy() {
    between = () -> memory.acquire("t", "another", LONG);
    var busy = thrown(ThreadBusy.class, () -> line("a").invoke(Input.none(), watched()));
    assertThat(busy.owner()).isEqualTo("another");
    assertThat(events).isEmpty();
  }

  @Test
  void of_two_answers_the_first_one_counts() throws Exception {
    var graph = line("ask", "end");
    asked(graph.invoke(Input.none(), other()));
    between =
        () -> {
          try {
            completed(graph.resume(Answers.to(WHAT, "first"), other()));
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    thrown(AnswerRejected.class, () -> graph.resume(Answers.to(WHAT, "late"), watched()));
    assertThat(graph.state(other()).orElseThrow().state().get(SAID))
        .containsExactly("first", "end");
  }

  @Test
  void a_store_that_fails_at_the_first_write_has_heard_of_no_run() {
    between =
        () -> {
          throw new StoreFailed("of the test", "it is gone", new AssertionError());
        };
    thrown(StoreFailed.class, () -> line("a").invoke(Input.none(), watched()));
    assertThat(events).isEmpty();
    assertThat(memory.find("t")).isEmpty();
  }

  // --- Every way to run, by a store that can do it and by one that cannot ---

  /// Has combined calls, but none that acquires a thread with a write.
  private static final class Separate extends ForwardingCheckpointer {
    Separate(Checkpointer store) {
      super(store);
    }
  }

  private static final Map<String, Supplier<Graph>> GRAPHS =
      Map.of(
          "asks in a node", () -> line("a", "ask", "b"),
          "returns a question",
              () ->
                  Graph.named("g")
                      .channels(SAID)
                      .questions(WHAT)
                      .node(
                          "ask",
                          (_, context) ->
                              context.resumePoint().isEmpty()
                                  ? Ask.of(WHAT, "?")
                                  : Update.of(SAID, context.answer(WHAT)))
                      .edge(START, "ask")
                      .edge("ask", END)
                      .compile(),
          "asks in a subgraph",
              () ->
                  Graph.named("outer")
                      .channels(SAID)
                      .questions(WHAT)
                      .node("sub", Subgraph.shared(line("a", "ask")))
                      .edge(START, "sub")
                      .edge("sub", END)
                      .compile(),
          "fails",
              () ->
                  Graph.named("g")
                      .channels(SAID)
                      .questions(WHAT)
                      .node("ask", asking())
                      .node(
                          "fail",
                          (_, _) -> {
                            throw new IllegalStateException("on purpose");
                          })
                      .edge(START, "ask")
                      .edge("ask", "fail")
                      .edge("fail", END)
                      .compile());

  private static final Map<String, UnaryOperator<RunOptions>> OPTIONS =
      Map.of(
          "plain", options -> options,
          "journal", RunOptions::journal,
          "dataflow", RunOptions::dataflow,
          "breakpoints", options -> options.breakpoints(Breakpoints.everyStep()),
          "async", options -> options.durability(Durability.ASYNC),
          "exit", options -> options.durability(Durability.EXIT),
          "one task", options -> options.taskLimit(1));

  /// The events, outcomes and journal of runs of a thread until it has ended.
  private static List<Object> story(
      Graph graph, Checkpointer store, InMemoryCheckpointer inner, UnaryOperator<RunOptions> with)
      throws InterruptedException {
    var story = new ArrayList<>();
    var ids = countingIds();
    for (int i = 0; i < 12; i++) {
      var heard = new ArrayList<Event>();
      var options =
          with.apply(RunOptions.thread("t").checkpoints(store).ids(ids))
              .listener(heard::add, Detail.values());
      try {
        var open = i == 0 ? List.of() : graph.state(options).orElseThrow().questions();
        var outcome =
            i == 0
                ? graph.invoke(Input.of(SAID, "hello"), options)
                : graph.resume(open.isEmpty() ? Answers.none() : Answers.to(WHAT, "this"), options);
        story.add(outcome.getClass().getSimpleName());
      } catch (RuntimeException e) {
        story.add(e.toString());
      }
      story.addAll(kinds(heard));
    }
    story.addAll(
        inner.entries("t", 0, 1_000, EntryFilter.all()).stream().map(Entry::kind).toList());
    return story;
  }

  @Test
  void every_run_is_the_same_by_a_store_that_acquires_threads_before() throws Exception {
    for (var graph : GRAPHS.entrySet()) {
      for (var options : OPTIONS.entrySet()) {
        var before = new InMemoryCheckpointer();
        var expected =
            story(graph.getValue().get(), new Separate(before), before, options.getValue());
        assertThat(expected).hasSizeGreaterThan(20);
        var direct = new InMemoryCheckpointer();
        assertThat(story(graph.getValue().get(), direct, direct, options.getValue()))
            .as(graph.getKey() + ", " + options.getKey())
            .isEqualTo(expected);
        var sealed = new InMemoryCheckpointer();
        var encrypted = EncryptedCheckpointer.over(sealed, KeyRing.of("key", new byte[32]));
        assertThat(story(graph.getValue().get(), encrypted, sealed, options.getValue()))
            .as("encrypted " + graph.getKey() + ", " + options.getKey())
            .isEqualTo(expected);
      }
    }
  }
}
