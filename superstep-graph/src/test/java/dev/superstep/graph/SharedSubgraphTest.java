package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.invalid;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.error.ConcurrentWrites;
import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.node.Approval;
import dev.superstep.node.Command;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Retry;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T103")
class SharedSubgraphTest {
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  static final Channel<Long, Long> SUM = Channel.sum("sum");
  static final Channel<String, String> LAST = Channel.latest("last", String.class);
  static final Channel<String, String> NOW = Channel.ephemeral("now", String.class);
  static final Channel<List<String>, String> NEWS = Channel.topic("news", String.class);
  static final Channel<Map<String, Integer>, Map<String, Integer>> NUMBERS =
      Channel.merge("numbers", Integer.class);
  static final Channel<Object, Object> TOOL = Channel.untracked("tool", Object.class);
  static final Channel<String, String> MINE = Channel.latest("mine", String.class);
  static final Target<String> EACH = Target.of("each", String.class);
  static final Question<String, Approval> SURE = Question.of("sure", String.class, Approval.class);

  private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();

  private static GraphBuilder named(String name) {
    return Graph.named(name)
        .channels(LOG, SUM, LAST, NOW, NEWS, NUMBERS, TOOL, MINE)
        .questions(SURE);
  }

  /// A graph of nodes one after the other, all with all channels.
  private static Graph chain(String name, Node... nodes) {
    var builder = named(name);
    var before = START;
    for (int i = 0; i < nodes.length; i++) {
      builder.node("node" + i, nodes[i]).edge(before, "node" + i);
      before = "node" + i;
    }
    return builder.edge(before, END).compile();
  }

  private static Node writes(Update update) {
    return (_, _) -> update;
  }

  /// Writes, then the graph inside, then "after".
  private static Graph around(Update before, Graph inside, Node after) {
    return named("around")
        .node("before", writes(before))
        .node("inside", Subgraph.shared(inside))
        .node("after", after)
        .edge(START, "before")
        .edge("before", "inside")
        .edge("inside", "after")
        .edge("after", END)
        .compile();
  }

  private static State run(Graph graph) throws InterruptedException {
    var unkept = completed(graph.invoke(Input.none()));
    var kept = completed(graph.invoke(Input.none(), kept()));
    assertThat(kept.get(LOG)).isEqualTo(unkept.get(LOG));
    assertThat(kept.get(SUM)).isEqualTo(unkept.get(SUM));
    return kept;
  }

  private static final Node NOTHING = writes(new Update(List.of()));

  @Test
  void a_shared_subgraph_gets_current_values_and_returns_only_its_writes() throws Exception {
    var inside =
        chain(
            "inside",
            (state, _) -> Update.of(LOG, "saw " + state.get(LOG) + state.get(SUM)).and(SUM, 10L),
            (state, _) -> Update.of(LOG, "then " + state.get(SUM)).and(SUM, 100L));
    var state = run(around(Update.of(LOG, "first").and(SUM, 1L), inside, NOTHING));
    assertThat(state.get(LOG)).containsExactly("first", "saw [first]1", "then 11");
    assertThat(state.get(SUM)).isEqualTo(111);
  }

  @Test
  void the_last_inner_write_of_a_single_value_is_returned() throws Exception {
    var inside = chain("inside", writes(Update.of(LAST, "one")), writes(Update.of(LAST, "two")));
    assertThat(run(around(Update.of(LAST, "zero"), inside, NOTHING)).get(LAST)).isEqualTo("two");
  }

  @Test
  void channels_that_were_not_written_inside_are_not_returned() throws Exception {
    var graph =
        named("around")
            .node("inside", Subgraph.shared(chain("inside", writes(Update.of(LOG, "x")))))
            .node("beside", writes(Update.of(LAST, "beside")))
            .edge(START, "inside")
            .edge(START, "beside")
            .edge("inside", END)
            .edge("beside", END)
            .compile();
    assertThat(run(graph).get(LAST)).isEqualTo("beside");
  }

  @Test
  void an_overwrite_inside_returns_the_resulting_value() throws Exception {
    var inside =
        chain(
            "inside",
            writes(Update.of(LOG, "lost").and(SUM, 5L)),
            writes(Update.overwrite(LOG, List.of("new")).and(Update.overwrite(SUM, 50L))),
            writes(Update.of(LOG, "more").and(SUM, 1L)));
    var state = run(around(Update.of(LOG, "first").and(SUM, 1L), inside, NOTHING));
    assertThat(state.get(LOG)).containsExactly("new", "more");
    assertThat(state.get(SUM)).isEqualTo(51);
  }

  @Test
  void entries_removed_inside_are_removed_outside() throws Exception {
    var inside =
        chain(
            "inside",
            writes(Update.of(NUMBERS, Map.of("b", 2))),
            writes(Update.remove(NUMBERS, "a")));
    var state = run(around(Update.of(NUMBERS, Map.of("a", 1)), inside, NOTHING));
    assertThat(state.get(NUMBERS)).isEqualTo(Map.of("b", 2));
  }

  @Test
  void an_ephemeral_value_of_the_last_inner_superstep_is_returned() throws Exception {
    Node look =
        (state, _) -> Update.of(LOG, "sees " + state.find(NOW).orElse("-") + state.get(NEWS));
    var early = Update.of(NOW, "early").and(NEWS, "n1");
    var late = Update.of(NOW, "late").and(NEWS, "n2").and(NEWS, "n3");
    assertThat(run(around(early, chain("in", look), look)).get(LOG))
        .containsExactly("sees early[n1]", "sees -[]");
    assertThat(run(around(early, chain("in", writes(early), look, writes(late)), look)).get(LOG))
        .containsExactly("sees early[n1]", "sees late[n2, n3]");
    assertThat(run(around(early, chain("in", writes(late), NOTHING), look)).get(LOG))
        .containsExactly("sees -[]");
  }

  @Test
  void graphs_side_by_side_merge_as_nodes_do_at_any_concurrency() throws Exception {
    var one = chain("one", writes(Update.of(LOG, "1a").and(SUM, 1L)), writes(Update.of(LOG, "1b")));
    var two = chain("two", writes(Update.of(LOG, "2a").and(SUM, 2L)), writes(Update.of(LOG, "2b")));
    var graph =
        named("around")
            .node("one", Subgraph.shared(one))
            .node("two", Subgraph.shared(two))
            .node("three", writes(Update.of(LOG, "3").and(SUM, 4L)))
            .edge(START, "one")
            .edge(START, "two")
            .edge(START, "three")
            .edge("one", END)
            .edge("two", END)
            .edge("three", END)
            .compile();
    for (int concurrency : new int[] {1, 2, 64}) {
      var state = completed(graph.invoke(Input.none(), kept().concurrency(concurrency)));
      assertThat(state.get(LOG)).containsExactly("1a", "1b", "2a", "2b", "3");
      assertThat(state.get(SUM)).isEqualTo(7);
    }
  }

  @Test
  void two_that_write_one_value_are_concurrent_writes() {
    var inside = chain("inside", writes(Update.of(LAST, "x")));
    var graph =
        named("around")
            .node("one", Subgraph.shared(inside))
            .node("two", Subgraph.shared(inside))
            .edge(START, "one")
            .edge(START, "two")
            .edge("one", END)
            .edge("two", END)
            .compile();
    assertThat(thrown(ConcurrentWrites.class, () -> graph.invoke(Input.none())))
        .hasMessageContaining("one")
        .hasMessageContaining("two");
  }

  @Test
  void a_graph_that_is_sent_arguments_shares_too() throws Exception {
    var inside =
        Graph.named("inside")
            .channels(LOG, SUM, Channel.latest("unused", String.class), ITEM)
            .node("work", (state, _) -> Update.of(LOG, state.get(ITEM)).and(SUM, state.get(SUM)))
            .edge(START, "work")
            .edge("work", END)
            .compile();
    var graph =
        named("around")
            .node("split", writes(Update.of(SUM, 3L)))
            .node(EACH, Subgraph.shared(inside, item -> Input.of(ITEM, item)))
            .edge(START, "split")
            .fanOut("split", _ -> List.of(Send.to(EACH, "a"), Send.to(EACH, "b")), EACH)
            .edge("each", END)
            .compile();
    var state = run(graph);
    assertThat(state.get(LOG)).containsExactly("a", "b");
    assertThat(state.get(SUM)).isEqualTo(9);
  }

  static final Channel<String, String> ITEM = Channel.latest("item", String.class);

  @Test
  void additional_input_must_not_write_shared_channels() {
    var graph =
        named("around")
            .node("in", Subgraph.shared(chain("in", NOTHING), (State _) -> Input.of(LOG, "x")))
            .edge(START, "in")
            .edge("in", END)
            .compile();
    var failed = thrown(NodeFailed.class, () -> graph.invoke(Input.none()));
    assertThat(failed).satisfies(invalid(Reason.SHARED_INPUT)).hasMessageContaining("log");
  }

  @Test
  void untracked_values_are_passed_in_on_resumption_too_and_are_not_returned() throws Exception {
    var tries = new AtomicInteger();
    var inside =
        chain(
            "inside",
            NOTHING,
            (state, _) -> {
              if (tries.getAndIncrement() == 0) throw new IllegalStateException("once");
              return Update.of(LOG, state.find(TOOL).orElse("no") + " tool").and(TOOL, "mine");
            });
    var graph =
        named("around")
            .node("before", writes(Update.of(TOOL, "a")))
            .node("in", Subgraph.shared(inside), NodePolicy.defaults().retry(Retry.of(2)))
            .node("after", (state, _) -> Update.of(LOG, "still " + state.get(TOOL)))
            .edge(START, "before")
            .edge("before", "in")
            .edge("in", "after")
            .edge("after", END)
            .compile();
    var options = kept().sleeper(_ -> {});
    assertThat(completed(graph.invoke(Input.none(), options)).get(LOG))
        .containsExactly("a tool", "still a");
  }

  @Test
  void the_engines_own_channel_is_not_visible() throws Exception {
    var events = new ArrayList<Event>();
    var inside = chain("inside", writes(Update.of(LOG, "x")));
    var graph = around(Update.of(SUM, 1L), inside, NOTHING);
    graph.invoke(Input.none(), kept().listener(events::add));
    assertThat(events)
        .filteredOn(Event.StepFinished.class::isInstance)
        .flatExtracting(e -> ((Event.StepFinished) e).changed())
        .containsOnly("sum", "log");
    assertThat(graph.topology().json().text()).doesNotContain("outbox");
    assertThat(inside.topology().hash()).isEqualTo(chain("inside", NOTHING).topology().hash());
  }

  @Test
  void a_channel_of_the_same_name_is_in_nobodys_way() throws Exception {
    var outbox = Channel.latest("outbox", String.class);
    var inside =
        Graph.named("inside")
            .channels(LOG, outbox)
            .node("work", writes(Update.of(LOG, "x").and(outbox, "y")))
            .edge(START, "work")
            .edge("work", END)
            .compile();
    assertThat(run(around(Update.of(LOG, "w"), inside, NOTHING)).get(LOG))
        .containsExactly("w", "x");
  }

  @Test
  void writes_to_shared_channels_survive_a_hand_off() throws Exception {
    var inside =
        named("inside")
            .node("first", writes(Update.of(LOG, "kept").and(SUM, 1L)))
            .node("leave", writes(Update.of(LOG, "unused")))
            .node("beside", writes(Update.of(LOG, "beside").and(SUM, 2L)))
            .node(
                "hand", (_, _) -> Command.toGraph("around", "after").with(Update.of(LOG, "handed")))
            .edge(START, "first")
            .edge("first", "beside")
            .edge("first", "hand")
            .edge("beside", "leave")
            .edge("hand", END)
            .edge("leave", END)
            .compile();
    for (boolean far : new boolean[] {false, true}) {
      var reached =
          far
              ? named("between")
                  .node("pass", Subgraph.shared(inside))
                  .edge(START, "pass")
                  .edge("pass", END)
                  .compile()
              : inside;
      var graph =
          named("around")
              .node("inside", Subgraph.shared(reached))
              .node("after", (state, _) -> Update.of(LOG, "after " + state.get(SUM)))
              .edge(START, "inside")
              .edge("inside", END)
              .handOffs("inside", "after")
              .edge("after", END)
              .compile();
      assertThat(run(graph).get(LOG)).containsExactly("kept", "beside", "handed", "after 3");
    }
  }

  /// Hands off to "after", with what is written in the same superstep.
  private static State handedOff(Update first, Update last) throws InterruptedException {
    var inside =
        named("inside")
            .node("first", writes(first))
            .node("hand", (_, _) -> Command.toGraph("around", "after").with(Update.of(MINE, "x")))
            .node("beside", writes(last))
            .sequence(START, "first", "hand", END)
            .edge("first", "beside")
            .edge("beside", END)
            .compile();
    var graph =
        named("around")
            .node("inside", Subgraph.shared(inside))
            .node("after", (state, _) -> Update.of(SUM, state.find(NOW).isPresent() ? 1L : 0L))
            .edge(START, "inside")
            .edge("inside", END)
            .handOffs("inside", "after")
            .edge("after", END)
            .compile();
    return run(graph);
  }

  @Test
  void ephemeral_values_are_handed_off_from_the_last_superstep_only() throws Exception {
    var nothing = new Update(List.of());
    assertThat(handedOff(nothing, Update.of(NOW, "now")).get(SUM)).isEqualTo(1);
    assertThat(handedOff(Update.of(NOW, "then"), nothing).get(SUM)).isZero();
  }

  @Test
  void an_overwrite_is_handed_off_with_later_writes() throws Exception {
    var state = handedOff(Update.overwrite(LOG, List.of("over")), Update.of(LOG, "on top"));
    assertThat(state.get(LOG)).containsExactly("over", "on top");
  }

  /// Shared in adapted in shared, with a question at the bottom.
  private Graph deep() {
    Node count =
        (state, context) -> {
          var key = context.node() + state.get(LOG).size();
          runs.computeIfAbsent(key, _ -> new AtomicInteger()).incrementAndGet();
          return Update.of(LOG, key).and(SUM, 1L);
        };
    var lowest =
        named("lowest")
            .node("count", count)
            .node(
                "ask",
                (_, context) -> {
                  var yes = context.interrupt(SURE, "go on?").approved();
                  return Update.of(LOG, "answered " + yes).and(SUM, 1_000L);
                })
            .node("beside", count)
            .edge(START, "count")
            .edge("count", "ask")
            .edge("count", "beside")
            .edge("ask", END)
            .edge("beside", END)
            .compile();
    var adapted =
        named("adapted")
            .node("low", Subgraph.shared(lowest))
            .node("more", count)
            .edge(START, "low")
            .edge("low", "more")
            .edge("more", END)
            .compile();
    var middle =
        named("middle")
            .node("start", count)
            .node(
                "adapted",
                Subgraph.of(
                    adapted,
                    (State state) -> Input.of(SUM, state.get(SUM)).and(LOG, "given"),
                    end -> Update.all(LOG, end.get(LOG)).and(SUM, end.get(SUM))))
            .edge(START, "start")
            .edge("start", "adapted")
            .edge("adapted", END)
            .compile();
    return named("top")
        .node("one", Subgraph.shared(middle))
        .node("two", count)
        .node("last", count)
        .edge(START, "one")
        .edge(START, "two")
        .join(List.of("one", "two"), "last")
        .edge("last", END)
        .compile();
  }

  private static State answered(Supplier<Graph> graph, RunOptions options)
      throws InterruptedException {
    var state = graph.get().state(options);
    var outcome =
        state.isEmpty()
            ? graph.get().invoke(Input.of(LOG, "input"), options)
            : graph.get().resume(Answers.none(), options);
    if (!(outcome instanceof Outcome.Interrupted)) return completed(outcome);
    var question = asked(outcome).getFirst();
    var answers = new Answers(List.of(SURE.answer(question, Approval.yes())));
    return completed(graph.get().resume(answers, options));
  }

  @Test
  @Tag("T88")
  void nothing_is_lost_or_doubled_wherever_the_process_dies() throws Exception {
    var expected = answered(this::deep, kept());
    assertThat(expected.get(SUM)).isEqualTo(1 + (1 + 1_002 + 1) + 1 + 1);
    int deaths = 0;
    for (int writes = 1; ; writes++) {
      var store = FailingCheckpointer.afterWrites(new InMemoryCheckpointer(), writes);
      var options = RunOptions.thread("t").checkpoints(store).concurrency(1 + writes % 3);
      Optional<State> state = Optional.empty();
      try {
        state = Optional.of(answered(this::deep, options));
      } catch (StoreFailed _) {
        deaths++;
        store.mend();
        state = Optional.of(answered(this::deep, options));
      }
      assertThat(state.get().get(LOG)).isEqualTo(expected.get(LOG));
      assertThat(state.get().get(SUM)).isEqualTo(expected.get(SUM));
      if (deaths < writes) break;
    }
    assertThat(deaths).isGreaterThan(10);
  }

  @Test
  void the_result_is_the_same_at_any_concurrency() throws Exception {
    var expected = answered(this::deep, kept());
    for (int concurrency : new int[] {1, 2, 64}) {
      var state = answered(this::deep, kept().concurrency(concurrency));
      assertThat(state.get(LOG)).isEqualTo(expected.get(LOG));
      assertThat(state.get(SUM)).isEqualTo(expected.get(SUM));
    }
  }
}
