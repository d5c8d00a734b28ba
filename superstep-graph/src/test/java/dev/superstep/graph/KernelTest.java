package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.kinds;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.error.Deadlock;
import dev.superstep.error.StepLimitReached;
import dev.superstep.error.UnknownTarget;
import dev.superstep.event.Event;
import dev.superstep.node.Ask;
import dev.superstep.node.Command;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Router;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The order of what is due, what stays due beside a state update, and what counts as having run.
@Tag("X5")
final class KernelTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Channel<String, String> TEXT = Channel.latest("text", String.class);
  private static final Question<String, String> ASK =
      Question.of("ask", String.class, String.class);
  private static final Target<String> WORK = Target.of("work", String.class);
  private static final Target<String> REST = Target.of("rest", String.class);

  private static NodeResult say(NodeContext context) {
    return Update.of(SAID, context.node());
  }

  private static NodeResult askOnce(NodeContext context) {
    if (context.resumePoint().isEmpty()) return Ask.of(ASK, context.node() + "?");
    return Update.of(SAID, context.node() + " " + context.answer(ASK));
  }

  /// Two nodes ask; one between them sends.
  private static Graph desk() {
    return Graph.named("desk")
        .channels(SAID)
        .questions(ASK)
        .node("first", (_, context) -> askOnce(context))
        .node("send", (_, _) -> Command.send(List.of(Send.to(WORK, "1"), Send.to(WORK, "2"))))
        .node("last", (_, context) -> askOnce(context))
        .node("plain", (_, context) -> say(context))
        .node(WORK, (argument, _, _) -> Update.of(SAID, "work " + argument))
        .edge(START, "first")
        .edge(START, "send")
        .edge(START, "last")
        .edge("first", END)
        .destinations("send", "work", "plain")
        .edge("last", END)
        .edge("plain", "last")
        .edge("work", END)
        .compile();
  }

  private static Answers answered(List<Interrupt> questions, String answer) {
    return new Answers(questions.stream().map(one -> ASK.answer(one, answer)).toList());
  }

  @Test
  void sends_run_before_tasks_that_resume_with_an_answer() throws Exception {
    var options = kept();
    var questions = asked(desk().invoke(Input.none(), options));
    assertThat(questions).hasSize(2);
    var answers =
        Answers.of(questions.get(1).id(), "yes").and(Answers.of(questions.get(0).id(), "no"));
    assertThat(completed(desk().resume(answers, options)).get(SAID))
        .containsExactly("work 1", "work 2", "first no", "last yes");
  }

  @Test
  void a_state_update_consumes_none_of_several_sends() throws Exception {
    var options = kept();
    thrown(StepLimitReached.class, () -> desk().invoke(Input.none(), options.stepLimit(1)));
    var edited = desk().update(options, StateUpdate.as("work", Update.of(SAID, "edited")));
    assertThat(edited.next()).containsExactly("work", "work", "first", "last");
    assertThat(asked(desk().resume(Answers.none(), options))).hasSize(2);
    var questions = desk().state(options).orElseThrow().questions();
    assertThat(completed(desk().resume(answered(questions, "ok"), options)).get(SAID))
        .containsExactly("edited", "work 1", "work 2", "first ok", "last ok");
  }

  @Test
  void a_state_update_does_not_change_an_asking_task_next_to_a_new_task_of_its_node()
      throws Exception {
    var options = kept();
    var before = asked(desk().invoke(Input.none(), options));
    var edited = desk().update(options, StateUpdate.as("plain", Update.of(SAID, "edited")));
    assertThat(edited.next()).containsExactly("last", "work", "work", "first", "last");
    assertThat(edited.questions()).isEqualTo(before);
    // The fresh one asks, too, once its superstep has ended.
    var after = asked(desk().resume(answered(before, "one"), options));
    assertThat(completed(desk().resume(answered(after, "two"), options)).get(SAID))
        .containsExactly("edited", "work 1", "work 2", "first one", "last one", "last two");
  }

  @Test
  void a_state_update_as_an_asking_node_does_not_answer_its_question() throws Exception {
    var options = kept();
    var before = asked(desk().invoke(Input.none(), options));
    var edited = desk().update(options, StateUpdate.as("last", Update.of(SAID, "edited")));
    assertThat(edited.next()).containsExactly("work", "work", "first", "last");
    assertThat(edited.questions()).isEqualTo(before);
  }

  /// Goes round three times; `gated` is skipped from the second round on.
  private static GraphBuilder rounds(boolean isAlone) {
    var round = Channel.sum("round");
    var builder =
        Graph.named("rounds")
            .channels(SAID, TEXT, round)
            .node("begin", (_, _) -> Update.of(round, 1L))
            .node("gated", (_, context) -> say(context))
            .node("end", (_, context) -> say(context))
            .edge(START, "begin")
            .edge("begin", "gated")
            .edge("gated", "end")
            .route("end", state -> state.get(round) < 3 ? "begin" : END, "begin", END)
            .runWhenChanged("gated", TEXT);
    if (isAlone) return builder;
    return builder
        .node("free", (_, context) -> say(context))
        .edge("begin", "free")
        .edge("free", END);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_skipped_node_has_not_run(boolean isAlone) throws Exception {
    var graph = rounds(isAlone).compile();
    var options = kept();
    completed(graph.invoke(Input.none(), options));
    var history = graph.history(Optional.empty(), 20, options).reversed();
    var beside = isAlone ? List.<String>of() : List.of("free");
    var first = isAlone ? List.of("gated") : List.of("gated", "free");
    assertThat(history)
        .extracting((Checkpoint saved) -> saved.progress().ran())
        .containsExactly(
            List.of(),
            List.of("begin"),
            first,
            List.of("end"),
            List.of("begin"),
            beside,
            List.of("end"),
            List.of("begin"),
            beside,
            List.of("end"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_run_does_not_stop_after_a_node_that_was_skipped(boolean isAlone) throws Exception {
    var graph = rounds(isAlone).breakpoints(Breakpoints.none().after("gated")).compile();
    var options = kept();
    assertThat(graph.invoke(Input.none(), options)).isInstanceOf(Outcome.Stopped.class);
    var state = completed(graph.resume(Answers.none(), options));
    assertThat(state.get(SAID)).containsOnlyOnce("gated");
  }

  @Test
  void an_error_of_the_machine_passes_a_router_as_it_is() {
    var error = new InternalError("the machine is in trouble");
    Router<String> route =
        _ -> {
          throw error;
        };
    var graph =
        Graph.named("trouble")
            .node("a", (_, _) -> NodeResult.nothing())
            .edge(START, "a")
            .route("a", route, END)
            .compile();
    assertThatThrownBy(() -> graph.invoke(Input.none())).isSameAs(error);
  }

  @Test
  void a_subgraph_whose_join_still_waits_is_not_reported_as_completed() {
    var inside =
        Graph.named("inside")
            .channels(SAID)
            .node("pick", (_, _) -> NodeResult.nothing())
            .node("a", (_, context) -> say(context))
            .node("b", (_, context) -> say(context))
            .node("meet", (_, context) -> say(context))
            .edge(START, "pick")
            .route("pick", _ -> "a", "a", "b")
            .join(List.of("a", "b"), "meet")
            .edge("meet", END)
            .compile();
    var graph =
        Graph.named("around")
            .channels(SAID)
            .node("inside", Subgraph.shared(inside))
            .edge(START, "inside")
            .edge("inside", END)
            .compile();
    var events = new ArrayList<Event>();
    var options = RunOptions.defaults().listener(events::add);
    assertThatThrownBy(() -> graph.invoke(Input.none(), options))
        .hasRootCauseInstanceOf(Deadlock.class);
    assertThat(kinds(events))
        .anyMatch(kind -> kind.startsWith("subgraph.started"))
        .noneMatch(kind -> kind.startsWith("subgraph.completed"));
  }

  @Test
  void a_node_that_commands_arrives_at_its_join_all_the_same() throws Exception {
    var graph =
        Graph.named("joins")
            .channels(SAID)
            .node("a", (_, _) -> Command.to("other").with(Update.of(SAID, "a")))
            .node("b", (_, context) -> say(context))
            .node("other", (_, context) -> say(context))
            .node("meet", (_, context) -> say(context))
            .edge(START, "a")
            .edge(START, "b")
            .destinations("a", "other")
            .join(List.of("a", "b"), "meet")
            .edge("other", END)
            .edge("meet", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(SAID))
        .containsExactly("a", "b", "other", "meet");
  }

  @Test
  void a_fan_out_may_lead_only_to_its_declared_targets() {
    var graph =
        Graph.named("fan-out")
            .channels(SAID)
            .node("list", (_, _) -> NodeResult.nothing())
            .node("other", (_, _) -> NodeResult.nothing())
            .node(WORK, (_, _, context) -> say(context))
            .node(REST, (_, _, context) -> say(context))
            .edge(START, "list")
            .fanOut("list", _ -> List.of(Send.to(REST, "x")), WORK)
            .edge(START, "other")
            .fanOut("other", _ -> List.of(), REST)
            .edge("work", END)
            .edge("rest", END)
            .compile();
    var error = thrown(UnknownTarget.class, () -> graph.invoke(Input.none()));
    assertThat(error).hasMessageContaining("`rest`", "[work]");
  }

  @Test
  void an_undeclared_target_of_a_router_is_an_error_with_a_suggestion() {
    var graph =
        Graph.named("near")
            .channels(SAID)
            .node("a", (_, context) -> say(context))
            .node("publish", (_, context) -> say(context))
            .edge(START, "a")
            .route("a", _ -> "publsh", "publish", END)
            .edge("publish", END)
            .compile();
    assertThat(thrown(UnknownTarget.class, () -> graph.invoke(Input.none())))
        .hasMessageContaining("Did you mean `publish`?");
  }

  /// More nodes than a superstep keeps places for: each leads to the next one but one.
  private static GraphBuilder wide(int many) {
    var builder = Graph.named("wide").channels(SAID).questions(ASK);
    for (int i = 0; i < many; i++) {
      builder.node("n" + i, (_, context) -> say(context));
      builder.edge(i % 2 == 0 ? START : "n" + (i - 1), "n" + i);
      builder.edge("n" + i, END);
    }
    return builder;
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 300})
  void beside_many_nodes_the_order_is_that_of_the_declaration(int many) throws Exception {
    var options = kept();
    var graph =
        wide(many).node("ask", (_, in) -> askOnce(in)).edge("n0", "ask").edge("ask", END).compile();
    var questions = asked(graph.invoke(Input.none(), options));
    var expected = new ArrayList<String>();
    for (int i = 0; i < many; i += 2) expected.add("n" + i);
    for (int i = 1; i < many; i += 2) expected.add("n" + i);
    expected.add("ask yes");
    assertThat(completed(graph.resume(answered(questions, "yes"), options)).get(SAID))
        .isEqualTo(expected);
    assertThat(graph.state(options).orElseThrow().next()).isEmpty();
  }
}
