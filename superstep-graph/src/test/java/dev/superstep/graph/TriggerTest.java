package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.error.ConcurrentWrites;
import dev.superstep.error.Deadlock;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.StepLimitReached;
import dev.superstep.error.TokenUnread;
import dev.superstep.node.Ask;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Nodes that run because of what the state holds.
@Tag("X2")
@Tag("A7")
class TriggerTest {
  static final Channel<String, String> A = Channel.token("a", String.class);
  static final Channel<String, String> B = Channel.token("b", String.class);
  static final Channel<String, String> C = Channel.token("c", String.class);
  static final Channel<String, String> RESULT = Channel.token("result", String.class);
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);

  static GraphBuilder named(String name) {
    return Graph.named(name).channels(A, B, C, RESULT, LOG).questions(ASK);
  }

  /// What is there of the tokens.
  static String tokens(State state) {
    var seen = new StringBuilder();
    for (var token : List.of(A, B, C, RESULT)) seen.append(state.find(token).orElse("-"));
    return seen.toString();
  }

  static final Node LOOK = (state, context) -> Update.of(LOG, context.node() + " " + tokens(state));

  @Test
  void a_token_in_the_input_triggers_a_node_without_edges_and_is_consumed() throws Exception {
    var graph =
        named("one")
            .node("work", (state, _) -> Update.of(RESULT, state.get(A).toUpperCase()))
            .trigger("work", A)
            .compile();
    var state = completed(graph.invoke(Input.of(A, "in"), kept()));
    assertThat(tokens(state)).isEqualTo("---IN");
    assertThat(state.version(A)).isEqualTo(2);
    assertThat(tokens(completed(graph.invoke(Input.none())))).isEqualTo("----");
  }

  @Test
  void a_node_waits_for_all_its_tokens_from_different_supersteps() throws Exception {
    var graph =
        named("both")
            .node("first", (_, _) -> Update.of(A, "a"))
            .node("slow", (_, _) -> NodeResult.nothing())
            .node("second", (_, _) -> Update.of(B, "b"))
            .node("meet", LOOK)
            .edge(START, "first")
            .edge(START, "slow")
            .edge("slow", "second")
            .trigger("meet", A, B)
            .compile();
    for (int concurrency : new int[] {1, 64}) {
      var state = completed(graph.invoke(Input.none(), kept().concurrency(concurrency)));
      assertThat(state.get(LOG)).containsExactly("meet ab--");
      assertThat(tokens(state)).isEqualTo("----");
    }
  }

  @Test
  void a_token_is_visible_until_the_superstep_that_consumes_it_is_folded() throws Exception {
    var graph =
        named("seen")
            .node("a", (_, _) -> Update.of(A, "a"))
            .node("beside", LOOK)
            .node("after", LOOK)
            .node("taker", LOOK)
            .edge(START, "a")
            .edge("a", "beside")
            .route("beside", state -> state.find(A).isPresent() ? END : "after", "after", END)
            .edge("after", END)
            .trigger("taker", A)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(LOG))
        .containsExactly("beside a---", "taker a---", "after ----");
  }

  @Test
  void triggered_nodes_run_in_the_order_of_declaration_among_the_others() throws Exception {
    var graph =
        named("order")
            .node("first", (_, _) -> Update.of(B, "b").and(A, "a"))
            .node("x", LOOK)
            .node("plain", LOOK)
            .node("y", LOOK)
            .edge(START, "first")
            .edge("first", "plain")
            .trigger("y", A)
            .trigger("x", B)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(LOG))
        .containsExactly("x ab--", "plain ab--", "y ab--");
  }

  @Test
  void alternative_triggers_that_complete_together_run_the_node_once_and_are_all_consumed()
      throws Exception {
    Node node =
        (state, context) -> {
          var why = (Activation.Triggered) context.activation();
          return Update.of(LOG, why.channels() + " " + tokens(state));
        };
    var graph = named("either").node("n", node).trigger("n", A, B).trigger("n", A, C).compile();
    var state = completed(graph.invoke(Input.of(A, "1").and(C, "3")));
    assertThat(state.get(LOG)).containsExactly("[a, c] 1-3-");
    state = completed(graph.invoke(Input.of(A, "1").and(B, "2").and(C, "3")));
    assertThat(state.get(LOG)).containsExactly("[a, b, c] 123-");
    assertThat(tokens(state)).isEqualTo("----");
  }

  @Test
  void an_edge_and_a_trigger_together_run_the_node_once_and_consume_the_token() throws Exception {
    var graph =
        named("twice")
            .node("a", (_, _) -> Update.of(A, "a"))
            .node("n", LOOK)
            .edge(START, "a")
            .edge("a", "n")
            .trigger("n", A)
            .compile();
    var state = completed(graph.invoke(Input.none()));
    assertThat(state.get(LOG)).containsExactly("n a---");
    assertThat(tokens(state)).isEqualTo("----");
  }

  @Test
  void a_node_that_an_edge_alone_activates_leaves_the_tokens_of_others() throws Exception {
    var graph =
        named("leaves")
            .node("n", LOOK)
            .node("b", (_, _) -> Update.of(B, "b"))
            .edge(START, "n")
            .route("n", state -> state.get(LOG).size() > 1 ? END : "b", "b", END)
            .trigger("n", A, B)
            .compile();
    assertThat(completed(graph.invoke(Input.of(A, "a"))).get(LOG))
        .containsExactly("n a---", "n ab--");
  }

  @Test
  void a_node_may_write_its_own_token_again_to_loop() throws Exception {
    var graph =
        named("loop")
            .node(
                "count",
                (state, _) -> {
                  var next = state.get(A) + "i";
                  return next.length() > 3 ? Update.of(RESULT, next) : Update.of(A, next);
                })
            .trigger("count", A)
            .compile();
    var state = completed(graph.invoke(Input.of(A, ""), kept()));
    assertThat(tokens(state)).isEqualTo("---iiii");
    assertThat(state.version(A)).isEqualTo(5);
  }

  @Test
  void a_token_rewritten_with_the_same_value_triggers_again() throws Exception {
    var times = new java.util.concurrent.atomic.AtomicInteger();
    var graph =
        named("same")
            .node(
                "again",
                (_, _) -> times.incrementAndGet() < 3 ? Update.of(A, "x") : NodeResult.nothing())
            .trigger("again", A)
            .compile();
    assertThat(completed(graph.invoke(Input.of(A, "x"), kept())).version(A)).isEqualTo(4);
    assertThat(times).hasValue(3);
  }

  @Test
  @Tag("T77")
  void overwriting_an_unconsumed_token_names_channel_and_writer() {
    var graph =
        named("unread")
            .node("one", (_, _) -> Update.of(A, "1"))
            .node("two", (_, _) -> Update.of(A, "2"))
            .node("b", LOOK)
            .edge(START, "one")
            .edge("one", "two")
            .trigger("b", A, B)
            .compile();
    var error = thrown(TokenUnread.class, () -> graph.invoke(Input.none(), kept()));
    assertThat(error.channel()).isEqualTo("a");
    assertThat(error.node()).isEqualTo("two");
    assertThat(error.task()).endsWith("/two");
    assertThat(error.code()).isEqualTo("graph.token-unread");
    assertThat(error).hasMessageContaining("Token `a`").hasMessageContaining("node `two`");
    var results =
        named("results")
            .node("one", (_, _) -> Update.of(RESULT, "1"))
            .node("two", (_, _) -> Update.of(RESULT, "2"))
            .edge(START, "one")
            .edge("one", "two")
            .edge("two", END)
            .compile();
    assertThat(thrown(TokenUnread.class, () -> results.invoke(Input.none())).channel())
        .isEqualTo("result");
  }

  @Test
  @Tag("T77")
  void two_writes_of_a_token_in_one_superstep_name_both_nodes() {
    var graph =
        named("conflict")
            .node("one", (_, _) -> Update.of(A, "1"))
            .node("two", (_, _) -> Update.of(A, "2"))
            .node("take", LOOK)
            .edge(START, "one")
            .edge(START, "two")
            .trigger("take", A)
            .compile();
    var error = thrown(ConcurrentWrites.class, () -> graph.invoke(Input.none()));
    assertThat(error.first().node()).isEqualTo("one");
    assertThat(error.second().node()).isEqualTo("two");
  }

  @Test
  void an_unread_token_may_be_replaced_on_purpose() throws Exception {
    var graph =
        named("replace")
            .node("two", (_, _) -> Update.overwrite(A, "2"))
            .node("b", (_, _) -> Update.of(B, "b"))
            .node("meet", LOOK)
            .edge(START, "two")
            .edge("two", "b")
            .trigger("meet", A, B)
            .compile();
    assertThat(completed(graph.invoke(Input.of(A, "1"), kept())).get(LOG))
        .containsExactly("meet 2b--");
  }

  @Test
  @Tag("A8")
  void a_run_with_half_of_a_trigger_is_stuck_and_says_what_is_missing() throws Exception {
    var graph = named("half").node("meet", LOOK).trigger("meet", A, B, C).compile();
    var options = kept();
    var error = thrown(Deadlock.class, () -> graph.invoke(Input.of(B, "b"), options));
    assertThat(error.waiting())
        .containsExactly(
            new Deadlock.Waiting("tokens a+b+c -> meet", "meet", 2, List.of("a", "c")));
    assertThat(error).hasMessageContaining("tokens a+b+c -> meet still waits for a, c");
    assertThat(error.code()).isEqualTo("graph.deadlock");
    // What came stays: another input may bring the rest.
    var state = completed(graph.invoke(Input.of(A, "a").and(C, "c"), options));
    assertThat(state.get(LOG)).containsExactly("meet abc-");
  }

  @Test
  @Tag("A8")
  void joins_and_triggers_that_wait_are_all_named() {
    var graph =
        named("stuck")
            .node("x", (_, _) -> Update.of(A, "a"))
            .node("never", LOOK)
            .node("both", LOOK)
            .node("meet", LOOK)
            .edge(START, "x")
            .route("x", _ -> END, "never", END)
            .join(List.of("x", "never"), "both")
            .trigger("meet", A, B)
            .compile();
    assertThat(thrown(Deadlock.class, () -> graph.invoke(Input.none())).waiting())
        .extracting(Deadlock.Waiting::node)
        .containsExactly("both", "meet");
  }

  @Test
  void a_result_stays_until_the_next_input_consumes_it() throws Exception {
    var graph =
        named("result")
            .node("work", (state, _) -> Update.of(RESULT, "got " + state.get(A)))
            .trigger("work", A)
            .compile();
    var options = kept();
    for (var name : List.of("one", "two", "two")) {
      completed(graph.invoke(Input.of(A, name), options));
      var state = graph.state(options).orElseThrow().state();
      assertThat(state.get(RESULT)).isEqualTo("got " + name);
    }
    assertThat(tokens(completed(graph.invoke(Input.none(), options)))).isEqualTo("----");
  }

  @Test
  void a_question_and_a_new_process_leave_the_token_readable_until_the_node_has_run()
      throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var open = asked(asking().invoke(Input.of(A, "a"), options)).getFirst();
    assertThat(tokens(asking().state(options).orElseThrow().state())).isEqualTo("a---");
    var state = completed(asking().resume(Answers.of(open.id(), "x"), options));
    assertThat(state.get(LOG)).containsExactly("a--- x [a]");
    assertThat(tokens(state)).isEqualTo("----");
    assertThat(store.latest(Lineage.of("t")).orElseThrow().channels())
        .contains(new SavedChannel("a", 2, new SavedChannel.Content.Cleared()));
  }

  @Test
  void tokens_of_two_asking_tasks_of_one_node_do_not_trigger_it_again() throws Exception {
    var graph =
        named("two")
            .node("give", (_, _) -> Update.of(B, "b"))
            .node(
                "ask",
                (_, context) -> {
                  // Whoever has A asks twice, so that both wait at the end of one superstep.
                  boolean isAnswered = context.resumePoint().isPresent();
                  return isAnswered && context.answer(ASK).equals("done")
                      ? Update.of(LOG, "done")
                      : Ask.of(ASK, "sure?");
                })
            .edge(START, "give")
            .edge("give", END)
            .trigger("ask", A)
            .trigger("ask", B)
            .compile();
    var options = kept();
    var first = asked(graph.invoke(Input.of(A, "a"), options));
    assertThat(first).hasSize(1);
    var both = asked(graph.resume(Answers.of(first.getFirst().id(), "again"), options));
    var answers = Answers.none();
    for (var open : both) answers = answers.and(Answers.of(open.id(), "done"));
    var state = completed(graph.resume(answers, options));
    assertThat(state.get(LOG)).containsExactly("done", "done");
    assertThat(tokens(state)).isEqualTo("----");
  }

  static Graph asking() {
    return named("asking")
        .node(
            "ask",
            (state, context) ->
                Update.of(
                    LOG,
                    tokens(state)
                        + " "
                        + context.interrupt(ASK, "?")
                        + " "
                        + ((Activation.Triggered) context.activation()).channels()))
        .trigger("ask", A)
        .compile();
  }

  @Test
  void a_failure_leaves_the_token_for_the_node_to_run_again() throws Exception {
    var fails = new AtomicBoolean(true);
    var graph =
        named("fails")
            .node(
                "work",
                (state, _) -> {
                  if (fails.getAndSet(false)) throw new IllegalStateException("on purpose");
                  return Update.of(RESULT, "got " + state.get(A));
                })
            .node("beside", (_, _) -> Update.of(LOG, "once"))
            .edge(START, "beside")
            .trigger("work", A)
            .compile();
    var options = kept();
    thrown(NodeFailed.class, () -> graph.invoke(Input.of(A, "a"), options));
    var state = completed(graph.resume(Answers.none(), options));
    assertThat(state.get(RESULT)).isEqualTo("got a");
    assertThat(state.get(LOG)).containsExactly("once");
    assertThat(state.find(A)).isEmpty();
  }

  @Test
  void a_handled_failure_consumes_the_token() throws Exception {
    var graph =
        named("handled")
            .node(
                "work",
                (_, _) -> {
                  throw new IllegalStateException("on purpose");
                },
                NodePolicy.defaults().onFailure(OnFailure.skip()))
            .trigger("work", A)
            .compile();
    assertThat(completed(graph.invoke(Input.of(A, "a"))).find(A)).isEmpty();
  }

  @Test
  void a_graph_inside_a_node_has_tokens_of_its_own() throws Exception {
    var inner =
        named("inner")
            .node("work", (state, _) -> Update.of(RESULT, state.get(A) + "!"))
            .trigger("work", A)
            .compile();
    var graph =
        named("outer")
            .node(
                "inside",
                Subgraph.<State>of(
                    inner,
                    (State state) -> Input.of(A, state.get(A) + "?"),
                    done -> Update.of(RESULT, done.get(RESULT))))
            .trigger("inside", A)
            .compile();
    assertThat(tokens(completed(graph.invoke(Input.of(A, "a"), kept())))).isEqualTo("---a?!");
  }

  @Test
  void a_chain_of_triggers_is_the_same_after_every_stop() throws Exception {
    var options = kept().stepLimit(1);
    Runs.thrown(StepLimitReached.class, () -> chain().invoke(Input.of(A, "0"), options));
    Runs.thrown(StepLimitReached.class, () -> chain().resume(Answers.none(), options));
    var state = completed(chain().resume(Answers.none(), options));
    assertThat(state.get(LOG)).containsExactly("x 0---", "y -0x--", "z -0x--", "w --0x+-");
    assertThat(tokens(state)).isEqualTo("---0x+");
  }

  static Graph chain() {
    return named("chain")
        .node("x", (s, c) -> Update.of(LOG, "x " + tokens(s)).and(B, s.get(A) + "x"))
        .node("y", (s, c) -> Update.of(LOG, "y " + tokens(s)).and(C, s.get(B) + "+"))
        .node("z", LOOK)
        .node("w", (s, c) -> Update.of(LOG, "w " + tokens(s)).and(RESULT, s.get(C)))
        .edge("x", "z")
        .trigger("x", A)
        .trigger("y", B)
        .trigger("w", C)
        .compile();
  }

  @Test
  void a_run_with_dataflow_scheduling_consumes_tokens_like_any_other() throws Exception {
    var graph =
        named("ahead")
            .node("a", (_, _) -> Update.of(A, "a"))
            .node("n", LOOK)
            .edge(START, "a")
            .edge("a", "n")
            .trigger("n", A)
            .reads("n", A, B, C, RESULT)
            .writes("n", LOG)
            .writes("a", A)
            .compile();
    var state = completed(graph.invoke(Input.none(), kept().dataflow()));
    assertThat(state.get(LOG)).containsExactly("n a---");
    assertThat(tokens(state)).isEqualTo("----");
  }

  @Test
  void a_node_that_returns_a_question_consumes_its_tokens_when_it_is_answered() throws Exception {
    var graph =
        named("asks")
            .node(
                "n",
                (state, context) ->
                    context.activation() instanceof Activation.Resumed
                        ? Update.of(LOG, tokens(state) + " " + context.answer(ASK))
                        : Ask.of(ASK, "?"))
            .node("beside", LOOK)
            .edge(START, "beside")
            .trigger("n", A, B)
            .compile();
    var options = kept();
    var open = asked(graph.invoke(Input.of(A, "a").and(B, "b"), options)).getFirst();
    assertThat(tokens(graph.state(options).orElseThrow().state())).isEqualTo("ab--");
    var state = completed(graph.resume(Answers.of(open.id(), "yes"), options));
    assertThat(state.get(LOG)).containsExactly("beside ab--", "ab-- yes");
    assertThat(tokens(state)).isEqualTo("----");
  }

  @Test
  void a_deferred_node_consumes_its_tokens_when_it_runs() throws Exception {
    var graph =
        named("deferred")
            .node("a", (_, _) -> Update.of(A, "a"))
            .node("b", (_, _) -> Update.of(B, "b"))
            .node("c", LOOK)
            .node("late", LOOK)
            .edge(START, "a")
            .edge("a", "late")
            .edge("a", "b")
            .edge("b", "c")
            .edge("c", END)
            .edge("late", END)
            .deferred("late")
            .trigger("late", A)
            .trigger("late", B)
            .compile();
    for (var options : List.of(kept(), kept().concurrency(1))) {
      var state = completed(graph.invoke(Input.none(), options));
      assertThat(state.get(LOG)).containsExactly("c ab--", "late ab--");
      assertThat(tokens(state)).isEqualTo("----");
    }
  }
}
