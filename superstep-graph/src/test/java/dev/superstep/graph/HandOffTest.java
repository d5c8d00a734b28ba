package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.invalid;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.error.ConcurrentWrites;
import dev.superstep.error.InvalidGraph;
import dev.superstep.error.InvalidUse;
import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.UnknownTarget;
import dev.superstep.event.Event;
import dev.superstep.event.Redaction;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.node.Approval;
import dev.superstep.node.Command;
import dev.superstep.node.HandOff;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.state.UndeclaredChannel;
import dev.superstep.topology.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HandOffTest {
  // Of the inner graph.
  static final Channel<List<String>, String> NOTES = Channel.append("notes", String.class);
  static final Question<String, Approval> SURE = Question.of("sure", String.class, Approval.class);

  // Of the outer graphs.
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  static final Channel<String, String> OWNER = Channel.latest("owner", String.class);
  static final Target<String> EACH = Target.of("each", String.class);

  private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();

  private void ran(String node) {
    runs.computeIfAbsent(node, _ -> new AtomicInteger()).incrementAndGet();
  }

  /// One superstep "prepare", then the given nodes side by side.
  private Graph inner(String name, Node... last) {
    var builder =
        Graph.named(name)
            .channels(NOTES)
            .questions(SURE)
            .node(
                "prepare",
                (_, _) -> {
                  ran("prepare");
                  return Update.of(NOTES, "prepared");
                })
            .edge(START, "prepare");
    for (int i = 0; i < last.length; i++) {
      var node = last[i];
      var called = "last" + i;
      builder
          .node(
              called,
              (state, context) -> {
                ran(called);
                return node.run(state, context);
              })
          .edge("prepare", called)
          .edge(called, END);
    }
    return builder.compile();
  }

  private static Subgraph<State> adapted(Graph graph) {
    return Subgraph.of(graph, (State _) -> Input.none(), _ -> Update.of(LOG, "came to its end"));
  }

  /// A desk with a subgraph "work", then "usual"; "boss" and "each" are where work may hand off.
  private GraphBuilder desk(String name, Graph inner) {
    return Graph.named(name)
        .channels(LOG, OWNER)
        .node("work", adapted(inner))
        .node("usual", (_, _) -> Update.of(LOG, "usual"))
        .node("boss", (_, context) -> Update.of(LOG, "boss " + context.activation()))
        .node(EACH, (argument, _, _) -> Update.of(LOG, "each " + argument))
        .edge(START, "work")
        .edge("work", "usual")
        .edge("usual", END)
        .handOffs("work", "boss", "each", END)
        .edge("boss", END)
        .edge("each", END);
  }

  private static String commanded(String by) {
    return "boss " + new Activation.Commanded(by);
  }

  @Test
  @Tag("A16")
  void the_end_of_a_subgraph_that_hands_off_is_published_once_wherever_its_process_dies()
      throws Exception {
    var inner = inner("inner", (_, _) -> Command.toParent("boss"));
    var graph = desk("desk", inner).compile();
    int points = 0;
    for (boolean dies = true; dies; points++) {
      var store = new InMemoryCheckpointer();
      var mortal = new Mortal(store, points);
      var options = RunOptions.thread("t").journal(Redaction.none());
      try {
        graph.invoke(Input.none(), options.checkpoints(mortal));
        dies = false;
      } catch (StoreFailed _) {
        mortal.release();
        if (graph.state(options.checkpoints(store)).isEmpty()) continue;
        completed(graph.resume(Answers.none(), options.checkpoints(store)));
      }
      var told =
          ThreadJournal.of(store, "t").entries(0, 1_000).stream()
              .map(Entry::kind)
              .filter("subgraph.completed"::equals);
      assertThat(told).as("dead before write " + points).hasSize(1);
    }
    assertThat(points).isGreaterThan(5);
  }

  /// Fails every write from a certain one on, as if the process had died there.
  private static final class Mortal extends ForwardingCheckpointer {
    private int left;
    private @Nullable Lease lease;

    Mortal(Checkpointer store, int writes) {
      super(store);
      this.left = writes;
    }

    private synchronized void write() {
      if (left-- <= 0) throw new StoreFailed("memory", "the process is dead", new IOException());
    }

    /// What the end of the lease's time does.
    void release() {
      if (lease != null) store().release(lease);
    }

    @Override
    public Lease acquire(String thread, String owner, Duration time) {
      lease = super.acquire(thread, owner, time);
      return lease;
    }

    @Override
    public void release(Lease given) {
      write();
      super.release(given);
    }

    @Override
    public boolean commit(Lease given, Commit commit) {
      write();
      return super.commit(given, commit);
    }

    @Override
    public TaskRecord saveTask(
        Lease given, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
      write();
      return super.saveTask(given, lineage, checkpoint, task, journal);
    }

    @Override
    public void append(Lease given, List<Entry> entries) {
      write();
      super.append(given, entries);
    }
  }

  @Test
  @Tag("W26")
  void a_node_of_a_subgraph_replaces_the_edges_of_the_outer_graph() throws Exception {
    var inner =
        inner(
            "inner",
            (_, _) ->
                Command.toParent("boss").with(Update.of(LOG, "from inside")).andSend(EACH, "one"));
    for (var options : List.of(RunOptions.defaults(), kept())) {
      var state = completed(desk("desk", inner).compile().invoke(Input.none(), options));
      assertThat(state.get(LOG)).containsExactly("from inside", commanded("work"), "each one");
    }
  }

  @Test
  @Tag("W26")
  void a_hand_off_may_end_the_path() throws Exception {
    var inner = inner("inner", (_, _) -> Command.toParent(END));
    assertThat(completed(desk("desk", inner).compile().invoke(Input.none())).get(LOG)).isEmpty();
    var nowhere = inner("inner", (_, _) -> Command.toParent().with(Update.of(LOG, "done")));
    assertThat(completed(desk("desk", nowhere).compile().invoke(Input.none())).get(LOG))
        .containsExactly("done");
  }

  @Test
  @Tag("T68")
  void a_hand_off_to_a_named_outer_graph_needs_no_declaration_in_graphs_between() throws Exception {
    var inner = inner("inner", (_, _) -> Command.toGraph("desk", "boss"));
    var between =
        Graph.named("between")
            .channels(LOG)
            .node("pass", adapted(inner))
            .node("after", (_, _) -> Update.of(LOG, "never"))
            .edge(START, "pass")
            .edge("pass", "after")
            .edge("after", END)
            .compile();
    for (var options : List.of(RunOptions.defaults(), kept())) {
      var state = completed(desk("desk", between).compile().invoke(Input.none(), options));
      assertThat(state.get(LOG)).containsExactly(commanded("work"));
    }
  }

  @Test
  void the_innermost_graph_of_a_name_is_meant() throws Exception {
    var inner = inner("inner", (_, _) -> Command.toGraph("desk", "boss"));
    var outer = desk("desk", desk("desk", inner).compile()).compile();
    assertThat(completed(outer.invoke(Input.none())).get(LOG))
        .containsExactly("came to its end", "usual");
  }

  @Test
  @Tag("W26")
  void siblings_finish_and_several_hand_offs_are_joined_in_task_order_at_any_concurrency()
      throws Exception {
    var inner =
        inner(
            "inner",
            (_, _) -> Command.toParent("boss").with(Update.of(LOG, "first")),
            (_, _) -> Update.of(NOTES, "a sibling"),
            (_, _) -> Command.toParent().with(Update.of(LOG, "third")).andSend(EACH, "x"),
            (_, _) -> Command.toParent("boss").with(Update.of(LOG, "fourth")));
    for (int concurrency : new int[] {1, 2, 64}) {
      runs.clear();
      var options = kept().concurrency(concurrency);
      var state = completed(desk("desk", inner).compile().invoke(Input.none(), options));
      assertThat(state.get(LOG))
          .containsExactly("first", "third", "fourth", commanded("work"), "each x");
      assertThat(runs.get("last1")).hasValue(1);
    }
  }

  @Test
  void the_hand_off_to_the_outermost_graph_replaces_the_others() throws Exception {
    var inner =
        inner(
            "inner",
            (_, _) -> Command.toParent("boss").with(Update.of(LOG, "near")),
            (_, _) -> Command.toGraph("desk", "boss").with(Update.of(LOG, "far")));
    var between =
        Graph.named("between")
            .channels(LOG)
            .node("pass", adapted(inner))
            .node("boss", (_, _) -> Update.of(LOG, "never"))
            .edge(START, "pass")
            .edge("pass", END)
            .handOffs("pass", "boss")
            .edge("boss", END)
            .compile();
    assertThat(completed(desk("desk", between).compile().invoke(Input.none())).get(LOG))
        .containsExactly("far", commanded("work"));
  }

  @Test
  void hand_offs_that_write_one_value_are_concurrent_writes() {
    Node claim = (_, _) -> Command.toParent("boss").with(Update.of(OWNER, "me"));
    var desk = desk("desk", inner("inner", claim, claim)).compile();
    var conflict = thrown(ConcurrentWrites.class, () -> desk.invoke(Input.none()));
    assertThat(conflict).hasMessageContaining("owner").hasMessageContaining("work");
  }

  @Test
  @Tag("W26")
  void finished_inner_tasks_do_not_run_again_if_the_process_dies_before_the_hand_off()
      throws Exception {
    Node handOff =
        (_, _) -> Command.toParent("boss").with(Update.of(LOG, "handed")).andSend(EACH, "argument");
    var store = FailingCheckpointer.afterOuterCommits(new InMemoryCheckpointer(), 1);
    UnaryOperator<Graph> make = inner -> desk("desk", inner).compile();
    var options = RunOptions.thread("t").checkpoints(store);
    var inner = inner("inner", handOff, (_, _) -> Update.of(NOTES, "sibling"));
    thrown(StoreFailed.class, () -> make.apply(inner).invoke(Input.none(), options));
    store.mend();
    var again = make.apply(inner("inner", handOff, (_, _) -> Update.of(NOTES, "sibling")));
    var state = completed(again.resume(Answers.none(), options));
    assertThat(state.get(LOG)).containsExactly("handed", commanded("work"), "each argument");
    assertThat(runs.values()).allSatisfy(count -> assertThat(count).hasValue(1));
  }

  @Test
  void a_hand_off_of_a_lone_node_is_saved_too() throws Exception {
    var store = FailingCheckpointer.afterOuterCommits(new InMemoryCheckpointer(), 1);
    var desk = desk("desk", inner("inner", (_, _) -> Command.toParent("boss"))).compile();
    var options = RunOptions.thread("t").checkpoints(store);
    thrown(StoreFailed.class, () -> desk.invoke(Input.none(), options));
    store.mend();
    assertThat(completed(desk.resume(Answers.none(), options)).get(LOG))
        .containsExactly(commanded("work"));
    assertThat(runs.get("last0")).hasValue(1);
  }

  @Test
  void a_hand_off_waits_for_answers_to_sibling_questions() throws Exception {
    var inner =
        inner(
            "inner",
            (_, _) -> Command.toParent("boss").with(Update.of(LOG, "handed")),
            (_, context) -> {
              context.interrupt(SURE, "sure?");
              return NodeResult.nothing();
            });
    var options = kept();
    var desk = desk("desk", inner).compile();
    var question = asked(desk.invoke(Input.none(), options)).getFirst();
    var answers = new Answers(List.of(SURE.answer(question, Approval.yes())));
    assertThat(completed(desk.resume(answers, options)).get(LOG))
        .containsExactly("handed", commanded("work"));
    assertThat(runs.get("last0")).hasValue(1);
  }

  @Test
  void a_hand_off_waits_until_failed_siblings_succeed() throws Exception {
    var broken = new AtomicBoolean(true);
    var inner =
        inner(
            "inner",
            (_, _) -> Command.toParent("boss"),
            (_, _) -> {
              if (broken.get()) throw new IllegalStateException("boom");
              return NodeResult.nothing();
            });
    var options = kept();
    var desk = desk("desk", inner).compile();
    thrown(NodeFailed.class, () -> desk.invoke(Input.none(), options));
    broken.set(false);
    assertThat(completed(desk.resume(Answers.none(), options)).get(LOG))
        .containsExactly(commanded("work"));
    assertThat(runs.get("last0")).hasValue(1);
  }

  @Test
  @Tag("T68")
  void a_hand_off_that_the_outer_graph_does_not_allow_fails_the_node_and_saves_nothing() {
    refused(UnknownTarget.class, "not among its hand-offs", Command.toParent("usual"));
    refused(UnknownTarget.class, "no such node. Did you mean `boss`", Command.toParent("bos"));
    refused(InvalidUse.class, "runs inside of [desk] only", Command.toGraph("disk", "boss"));
    refused(UndeclaredChannel.class, "notes", Command.toParent().with(Update.of(NOTES, "mine")));
    refused(
        UnknownTarget.class,
        "another target constant",
        Command.toParent().andSend(Target.of("each", Integer.class), 1));
    refused(UnknownTarget.class, "must be sent an argument", Command.toParent("each"));
  }

  private void refused(Class<? extends Throwable> error, String why, HandOff result) {
    var options = kept();
    var desk = desk("desk", inner("inner", (_, _) -> result)).compile();
    var failed = thrown(NodeFailed.class, () -> desk.invoke(Input.none(), options));
    assertThat(failed).hasRootCauseInstanceOf(error);
    assertThat(failed.getCause().getCause()).hasMessageContaining(why);
    runs.clear();
    thrown(NodeFailed.class, () -> desk.resume(Answers.none(), options));
    assertThat(runs.keySet()).containsExactly("last0");
  }

  @Test
  void a_graph_without_an_outer_graph_cannot_hand_off() {
    var alone = inner("inner", (_, _) -> Command.toParent("boss"));
    var failed = thrown(NodeFailed.class, () -> alone.invoke(Input.none()));
    assertThat(failed)
        .satisfies(invalid(Reason.NO_OUTER_GRAPH))
        .hasMessageContaining("runs by itself");
  }

  @Test
  void hand_offs_are_part_of_the_shape() {
    var inner = inner("inner", (_, _) -> Command.toParent("boss"));
    var shape = desk("desk", inner).compile().topology();
    assertThat(shape.mermaid()).contains("-. handed off .->");
    assertThat(Topology.parse(shape.json())).isEqualTo(shape);
    assertThat(shape.edges())
        .contains(Topology.EdgeShape.of(Topology.EdgeKind.HANDED_OFF, "work", "boss"));
  }

  @Test
  void only_subgraphs_hand_off_and_only_to_existing_nodes() {
    var inner = inner("inner", (_, _) -> Command.toParent("boss"));
    assertThat(problems(desk("desk", inner).handOffs("usual", "boss")))
        .containsExactly("hand-off-source");
    assertThat(problems(desk("desk", inner).handOffs(START, "boss")))
        .containsExactly("hand-off-source");
    assertThat(problems(desk("desk", inner).handOffs("work", "nowhere")))
        .containsExactly("unknown-node");
    assertThat(problems(desk("desk", inner).handOffs("wrok", "boss")))
        .containsExactly("unknown-node");
    assertThat(problems(desk("desk", inner).handOffs("work", "boss")))
        .containsExactly("duplicate-edge");
  }

  private static List<String> problems(GraphBuilder builder) {
    return thrown(InvalidGraph.class, builder::compile).problems().stream()
        .map(Problem::code)
        .toList();
  }

  @Test
  void events_name_the_inner_node_and_the_outer_node() throws Exception {
    var events = new ArrayList<Event>();
    var inner = inner("inner", (_, _) -> Command.toParent("boss").with(Update.of(LOG, "x")));
    desk("desk", inner).compile().invoke(Input.none(), kept().listener(events::add));
    assertThat(events)
        .filteredOn(Event.NodeFinished.class::isInstance)
        .extracting(e -> e.origin().path() + " " + ((Event.NodeFinished) e).node())
        .containsExactly("[work] prepare", "[work] last0", "[] work", "[] boss");
  }

  @Test
  void a_hundred_sent_graphs_hand_off_in_sending_order() throws Exception {
    var desk =
        Graph.named("desk")
            .channels(LOG)
            .node("start", (_, _) -> NodeResult.nothing())
            .node(
                EACH,
                Subgraph.of(
                    inner(
                        "inner",
                        (state, _) ->
                            Command.toParent("boss")
                                .with(Update.of(LOG, state.get(NOTES).getFirst()))),
                    argument -> Input.of(NOTES, argument),
                    _ -> NodeResult.nothing()))
            .node("boss", (state, _) -> Update.of(LOG, "of " + state.get(LOG).size()))
            .edge(START, "start")
            .fanOut("start", _ -> sends(100), EACH)
            .edge("each", END)
            .handOffs("each", "boss")
            .edge("boss", END)
            .compile();
    var expected = new ArrayList<String>();
    for (int i = 0; i < 100; i++) expected.add("item" + i);
    expected.add("of 100");
    for (int concurrency : new int[] {1, 64}) {
      var state = completed(desk.invoke(Input.none(), kept().concurrency(concurrency)));
      assertThat(state.get(LOG)).isEqualTo(expected);
    }
  }

  private static List<Send<?>> sends(int count) {
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < count; i++) sends.add(Send.to(EACH, "item" + i));
    return sends;
  }
}
