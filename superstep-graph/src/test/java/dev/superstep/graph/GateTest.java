package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.error.InvalidGraph;
import dev.superstep.error.StepLimitReached;
import dev.superstep.event.Event;
import dev.superstep.json.Codec;
import dev.superstep.node.Command;
import dev.superstep.node.Failure;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("X5")
@Tag("G25")
class GateTest {
  static final Channel<List<String>, String> PATH = Channel.append("path", String.class);
  static final Channel<String, String> TEXT = Channel.latest("text", String.class);
  static final Channel<Long, Long> ROUND = Channel.sum("round");
  static final Target<String> ITEM = Target.of("item", String.class);
  static final Node TRACE = (_, context) -> Update.of(PATH, context.node() + context.step());

  /// Goes round three times; the text changes before the second round only.
  static GraphBuilder loop() {
    return Graph.named("gates")
        .channels(PATH, TEXT, ROUND)
        .node(
            "write",
            (state, _) -> Update.of(ROUND, 1L).and(TEXT, state.get(ROUND) == 0 ? "draft" : "final"))
        .node("check", TRACE)
        .node("after", TRACE)
        .edge(START, "write")
        .edge("write", "check")
        .edge("check", "after")
        .route("after", state -> state.get(ROUND) < 3 ? "write" : END, "write", END)
        .runWhenChanged("check", TEXT);
  }

  @Test
  void a_gated_node_runs_only_if_a_channel_changed_and_its_edges_are_followed_anyway()
      throws Exception {
    for (int concurrency : new int[] {1, 64}) {
      var events = new ArrayList<Event>();
      var options = RunOptions.defaults().concurrency(concurrency).listener(events::add);
      var state = completed(loop().compile().invoke(Input.none(), options));
      assertThat(state.get(PATH)).containsExactly("check2", "after3", "check5", "after6", "after9");
      assertThat(Runs.kinds(events))
          .containsSubsequence(
              "step.started []",
              "node.skipped check",
              "step.finished [after]",
              "step.started [after]")
          .containsOnlyOnce("node.skipped check");
      var skipped =
          events.stream().filter(Event.NodeSkipped.class::isInstance).findFirst().orElseThrow();
      assertThat(skipped.origin().step()).isEqualTo(8);
      assertThat(((Event.NodeSkipped) skipped).gate()).containsExactly("text");
      assertThat(Codec.of(Event.class).decode(skipped.json())).isEqualTo(skipped);
    }
  }

  @Test
  void the_versions_that_a_gate_saw_are_saved_for_a_resume_in_another_process() throws Exception {
    var store = new InMemoryCheckpointer();
    var events = new ArrayList<Event>();
    var options = RunOptions.thread("t").checkpoints(store).stepLimit(1).listener(events::add);
    thrown(StepLimitReached.class, () -> loop().compile().invoke(Input.none(), options));
    for (int i = 0; i < 7; i++) {
      thrown(StepLimitReached.class, () -> loop().compile().resume(Answers.none(), options));
    }
    var state = completed(loop().compile().resume(Answers.none(), options));
    assertThat(state.get(PATH)).containsExactly("check2", "after3", "check5", "after6", "after9");
    assertThat(Runs.kinds(events)).containsOnlyOnce("node.skipped check");
    assertThat(store.latest(Lineage.of("t")).orElseThrow().checkpoint().progress().seen())
        .containsOnlyKeys("check");
  }

  @Test
  void new_input_opens_every_gate() throws Exception {
    var graph =
        Graph.named("gates")
            .channels(PATH, TEXT)
            .node("check", TRACE)
            .sequence(START, "check", END)
            .runWhenChanged("check", TEXT)
            .compile();
    var options = kept();
    completed(graph.invoke(Input.of(TEXT, "x"), options));
    assertThat(completed(graph.invoke(Input.of(TEXT, "x"), options)).get(PATH))
        .containsExactly("check1", "check3");
  }

  @Test
  void the_nodes_own_writes_count_as_a_change() throws Exception {
    // It writes the same text from the second round on.
    var graph =
        Graph.named("gates")
            .channels(PATH, TEXT, ROUND)
            .node("check", (_, in) -> Update.of(PATH, "check" + in.step()).and(TEXT, "mine"))
            .node("count", (_, _) -> Update.of(ROUND, 1L))
            .edge(START, "check")
            .edge("check", "count")
            .route("count", state -> state.get(ROUND) < 3 ? "check" : END, "check", END)
            .runWhenChanged("check", TEXT)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(PATH)).containsExactly("check1", "check3");
  }

  @Test
  void a_skipped_sibling_does_not_hold_the_others_up_and_arrives_at_its_join() throws Exception {
    var graph =
        Graph.named("gates")
            .channels(PATH, TEXT, ROUND)
            .node("fork", (_, _) -> Update.of(ROUND, 1L))
            .node("gated", TRACE)
            .node("free", TRACE)
            .node("meet", TRACE)
            .edge(START, "fork")
            .edge("fork", "gated")
            .edge("fork", "free")
            .join(List.of("gated", "free"), "meet")
            .route("meet", state -> state.get(ROUND) < 2 ? "fork" : END, "fork", END)
            .runWhenChanged("gated", TEXT)
            .compile();
    for (int concurrency : new int[] {1, 64}) {
      var events = new ArrayList<Event>();
      var options = kept().concurrency(concurrency).listener(events::add);
      assertThat(completed(graph.invoke(Input.none(), options)).get(PATH))
          .containsExactly("gated2", "free2", "meet3", "free5", "meet6");
      assertThat(Runs.kinds(events))
          .containsSequence("step.started [free]", "node.skipped gated", "node.started free");
    }
  }

  @Test
  void a_deferred_gated_node_is_judged_when_it_is_released() throws Exception {
    var graph =
        loop()
            .node("late", (_, _) -> Update.of(TEXT, "late"))
            .edge("write", "late")
            .edge("late", END)
            .deferred("check")
            .compile();
    var events = new ArrayList<Event>();
    var options = RunOptions.defaults().listener(events::add);
    // `late` makes the text another one in each round before `check` is released.
    completed(graph.invoke(Input.none(), options));
    assertThat(Runs.kinds(events)).doesNotContain("node.skipped check").contains("run.completed");
  }

  @Test
  @Tag("W54")
  void a_loop_in_which_nothing_changes_any_more_reaches_the_step_limit_loudly() {
    var graph =
        Graph.named("gates")
            .channels(TEXT)
            .node("wait", (_, _) -> NodeResult.nothing())
            .edge(START, "wait")
            .route("wait", _ -> "wait", "wait", END)
            .runWhenChanged("wait", TEXT)
            .compile();
    var error = thrown(StepLimitReached.class, () -> graph.invoke(Input.none(), kept()));
    assertThat(error).hasMessageContaining("wait");
  }

  @Test
  void a_node_whose_failure_went_to_a_handler_is_tried_again() throws Exception {
    var failures = Target.of("failures", Failure.class);
    var runs = new AtomicInteger();
    var graph =
        Graph.named("gates")
            .channels(PATH, TEXT)
            .node(
                "flaky",
                (_, context) -> {
                  if (runs.getAndIncrement() == 0) throw new IllegalStateException("flaky");
                  return Update.of(PATH, "flaky" + context.step());
                },
                NodePolicy.defaults().onFailure(OnFailure.route(failures)))
            .node(failures, (_, _, _) -> NodeResult.nothing())
            .edge(START, "flaky")
            .edge("flaky", END)
            .edge("failures", "flaky")
            .runWhenChanged("flaky", TEXT)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(PATH)).containsExactly("flaky3");
  }

  @Test
  void a_gated_node_that_asked_is_not_skipped_when_it_is_answered() throws Exception {
    var ask = Question.of("ask", String.class, String.class);
    var graph =
        Graph.named("gates")
            .channels(PATH, TEXT)
            .questions(ask)
            .node("gated", (_, context) -> Update.of(PATH, context.interrupt(ask, "name?")))
            .sequence(START, "gated", END)
            .runWhenChanged("gated", TEXT)
            .compile();
    var options = kept();
    var open = Runs.asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(completed(graph.resume(Answers.of(open.id(), "Ann"), options)).get(PATH))
        .containsExactly("Ann");
  }

  @Test
  void gates_that_cannot_work_are_refused() {
    var error =
        thrown(
            InvalidGraph.class,
            () ->
                loop()
                    .channels(Channel.untracked("scratch", String.class))
                    .node(ITEM, (_, _, _) -> NodeResult.nothing())
                    .node("boss", (_, _) -> Command.to(END))
                    .fanOut(START, _ -> List.of(), ITEM)
                    .sequence(START, "boss")
                    .edge("item", END)
                    .destinations("boss", END)
                    .runWhenChanged("item", TEXT)
                    .runWhenChanged("boss", TEXT)
                    .runWhenChanged("after")
                    .runWhenChanged("chek", TEXT)
                    .runWhenChanged("write", Channel.sum("other"))
                    .compile());
    assertThat(error.problems())
        .extracting(Problem::code)
        .containsExactly(
            "unknown-node", "gated-send", "gated-command", "empty-gate", "undeclared-channel");
    assertThat(error).hasMessageContaining("Did you mean `check`?");
    var scratch = Channel.untracked("scratch", String.class);
    var untracked =
        thrown(
            InvalidGraph.class,
            () -> loop().channels(scratch).runWhenChanged("write", scratch).compile());
    assertThat(untracked.problems()).extracting(Problem::code).containsExactly("untracked-gate");
  }

  @Test
  void the_gate_is_part_of_the_shape_and_of_the_drawing() {
    var topology = loop().compile().topology();
    assertThat(topology.mermaid()).contains("check (when text changed)");
    assertThat(topology.hash())
        .isNotEqualTo(loop().runWhenChanged("after", TEXT).compile().topology().hash());
  }
}
