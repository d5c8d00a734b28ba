package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.invalid;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InvalidSignal;
import dev.superstep.checkpoint.Signal;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.error.ConcurrentWrites;
import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.node.Command;
import dev.superstep.node.Converge;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.MatrixHook;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E8")
@Tag("E6")
class ConvergeTest {
  static final Channel<List<String>, String> PATH = Channel.append("path", String.class);
  static final Channel<Long, Long> SUM = Channel.sum("sum");
  static final Target<Integer> ITEM = Target.of("item", Integer.class);
  static final Signal GOOD = new Signal(0.5, 0.25, 0.75);

  static Converge converge(NodeContext context, double quality) {
    return new Converge(Update.of(PATH, context.node()), new Signal(0.5, 0, quality));
  }

  /// A loop that leaves when the sum is 3.
  static Graph loop(Function<Update, NodeResult> result) {
    return Graph.named("loop")
        .channels(PATH, SUM)
        .node("work", (_, in) -> result.apply(Update.of(PATH, in.node()).and(SUM, 1L)))
        .node("last", (_, in) -> result.apply(Update.of(PATH, in.node())))
        .edge(START, "work")
        .route("work", state -> state.get(SUM) < 3 ? "work" : "last", "work", "last")
        .edge("last", END)
        .compile();
  }

  @Test
  @Tag("E9")
  void without_a_matrix_or_with_a_silent_one_a_converge_is_an_update() throws Exception {
    var plain = completed(loop(update -> update).invoke(Input.none()));
    var converging = loop(update -> new Converge(update, GOOD));
    var matrix = RunOptions.defaults().matrix(NotingHook.silent());
    for (var options : List.of(RunOptions.defaults(), kept(), matrix)) {
      var state = completed(converging.invoke(Input.none(), options));
      assertThat(state.get(PATH)).isEqualTo(plain.get(PATH)).hasSize(4);
      assertThat(state.version(PATH)).isEqualTo(plain.version(PATH));
      assertThat(state.version(SUM)).isEqualTo(plain.version(SUM));
    }
  }

  @Test
  @Tag("W62")
  void a_part_that_is_not_a_number_from_0_to_1_is_refused_by_name() {
    for (double bad : new double[] {Double.NaN, 1.0001, -0.0001, Double.POSITIVE_INFINITY}) {
      var surprise = thrown(InvalidSignal.class, () -> new Signal(1, bad, 1));
      assertThat(surprise.field()).isEqualTo("surprise");
      assertThat(surprise.value()).isEqualTo(Double.valueOf(bad));
      assertThat(surprise.code()).isEqualTo("graph.invalid-signal");
      assertThat(surprise).hasMessageContaining("`surprise`").hasMessageContaining("" + bad);
      assertThat(thrown(InvalidSignal.class, () -> new Signal(bad, 0, 1)).field())
          .isEqualTo("contribution");
      assertThat(thrown(InvalidSignal.class, () -> new Signal(0, 0, bad)).field())
          .isEqualTo("quality");
    }
    assertThat(new Signal(0, 1, -0.0)).isNotNull();
  }

  @Test
  @Tag("W62")
  void a_node_that_makes_such_a_signal_fails_and_writes_nothing() {
    var graph = loop(update -> new Converge(update, new Signal(1, 0, Double.NaN)));
    var error = thrown(NodeFailed.class, () -> graph.invoke(Input.none()));
    assertThat(error.getCause()).isInstanceOf(InvalidSignal.class);
  }

  @Test
  void a_signal_that_was_tampered_with_is_not_read() {
    var record = new TaskRecord.End.Finished(List.of(), java.util.Optional.empty(), List.of());
    var json = Json.of(record).text().replace("\"signal\":null", "\"signal\":" + signal("7"));
    assertThat(json).contains("7");
    assertThat(thrown(MalformedJson.class, () -> read(json))).hasMessageContaining("`quality`");
    assertThat(thrown(MalformedJson.class, () -> read(json.replace("7", "\"NaN\"")))).isNotNull();
    assertThat(read(json.replace("7", "0.5")).signal()).hasValue(new Signal(0.1, 0.2, 0.5));
  }

  private static String signal(String quality) {
    return "{\"contribution\":0.1,\"surprise\":0.2,\"quality\":" + quality + "}";
  }

  private static TaskRecord.End.Finished read(String json) {
    return Json.parse(json).as(TaskRecord.End.Finished.class);
  }

  @Test
  void a_node_that_must_return_a_command_may_not_converge() {
    var graph =
        Graph.named("command")
            .channels(PATH)
            .node("a", (_, in) -> converge(in, 1))
            .edge(START, "a")
            .destinations("a", END)
            .compile();
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none())).getCause())
        .satisfies(invalid(Reason.MISSING_COMMAND));
  }

  /// Every kind of edge that may lead to a node that converges.
  static Graph everyWay() {
    return Graph.named("ways")
        .channels(PATH)
        .node("first", (_, in) -> converge(in, 0.1))
        .node("next", (_, in) -> converge(in, 0.2))
        .node("picked", (_, in) -> converge(in, 0.3))
        .node("met", (_, in) -> converge(in, 0.4))
        .node("boss", (_, _) -> Command.to("told").andSend(ITEM, 5).andSend(ITEM, 6))
        .node("told", (_, in) -> converge(in, 0.5))
        .node(ITEM, (n, _, in) -> converge(in, n / 10.0))
        .edge(START, "first")
        .edge("first", "next")
        .route("first", _ -> "picked", "picked", "next")
        .join(List.of("next", "picked"), "met")
        .edge("met", "boss")
        .destinations("boss", "told", "item")
        .edge("told", END)
        .edge("item", END)
        .compile();
  }

  @Test
  @Tag("E21")
  void the_hook_sees_signals_and_the_edges_that_led_to_them_in_task_order_before_it_is_asked()
      throws Exception {
    for (int concurrency : new int[] {1, 64}) {
      var hook = NotingHook.silent();
      var options = RunOptions.defaults().concurrency(concurrency).matrix(hook);
      completed(everyWay().invoke(Input.none(), options));
      assertThat(hook.notes)
          .containsExactly(
              "first 0.1",
              "route first 1",
              "next 0.2",
              "first->next 0.2",
              "picked 0.3",
              "first->picked 0.3",
              "met 0.4",
              "told 0.5",
              "boss->told 0.5",
              "item 0.5",
              "boss->item 0.5",
              "item 0.6",
              "boss->item 0.6");
    }
  }

  @Test
  void a_signal_of_a_task_that_finished_before_a_crash_is_seen_when_its_superstep_ends()
      throws Exception {
    var broken = new AtomicInteger(1);
    var graph =
        Graph.named("crash")
            .channels(PATH)
            .node("a", (_, in) -> converge(in, 0.5))
            .node(
                "b",
                (_, in) -> {
                  if (broken.getAndDecrement() > 0) throw new IllegalStateException("flaky");
                  return converge(in, 0.75);
                })
            .edge(START, "a")
            .edge(START, "b")
            .edge("a", END)
            .edge("b", END)
            .compile();
    var options = kept();
    var first = NotingHook.silent();
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options.matrix(first)));
    assertThat(first.notes).isEmpty();
    var second = NotingHook.silent();
    completed(graph.resume(Answers.none(), options.matrix(second)));
    assertThat(second.notes).containsExactly("a 0.5", "b 0.75");
  }

  @Test
  void a_failure_that_its_policy_handles_gives_no_signal() throws Exception {
    var fallback = NodePolicy.defaults().onFailure(OnFailure.fallback(Update.of(PATH, "instead")));
    Node failing = (_, in) -> new Converge(Update.of(PATH, in.node()), new Signal(2, 2, 2));
    var graph =
        Graph.named("handled")
            .channels(PATH)
            .node("a", failing, fallback)
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var hook = NotingHook.silent();
    var state = completed(graph.invoke(Input.none(), RunOptions.defaults().matrix(hook)));
    assertThat(state.get(PATH)).containsExactly("instead");
    assertThat(hook.notes).isEmpty();
  }

  @Test
  void a_superstep_that_cannot_be_folded_teaches_nothing() {
    var once = Channel.latest("once", String.class);
    var graph =
        Graph.named("conflict")
            .channels(once)
            .node("a", (_, _) -> new Converge(Update.of(once, "a"), GOOD))
            .node("b", (_, _) -> new Converge(Update.of(once, "b"), GOOD))
            .edge(START, "a")
            .edge(START, "b")
            .edge("a", END)
            .edge("b", END)
            .compile();
    var hook = NotingHook.silent();
    thrown(
        ConcurrentWrites.class,
        () -> graph.invoke(Input.none(), RunOptions.defaults().matrix(hook)));
    assertThat(hook.notes).isEmpty();
  }

  @Test
  void a_graph_inside_a_node_is_not_observed_but_the_node_may_converge() throws Exception {
    var outer =
        Graph.named("outer")
            .channels(PATH)
            .node(
                "inner",
                Subgraph.of(
                    everyWay(), _ -> Input.none(), in -> new Converge(Update.of(PATH, "in"), GOOD)))
            .edge(START, "inner")
            .edge("inner", END)
            .compile();
    var hook = NotingHook.silent();
    completed(outer.invoke(Input.none(), kept().matrix(hook)));
    assertThat(hook.notes).containsExactly("inner 0.75");
  }

  @Test
  void observed_signals_are_published_after_the_node_finished() throws Exception {
    var events = new ArrayList<Event>();
    var options = kept().matrix(NotingHook.silent()).listener(events::add);
    completed(loop(update -> new Converge(update, GOOD)).invoke(Input.none(), options));
    assertThat(Runs.kinds(events))
        .containsSubsequence(
            "node.finished last", "matrix.observed last", "step.finished []", "run.completed");
    var told = (Event.MatrixObserved) events.get(events.size() - 3);
    assertThat(told.signal()).isEqualTo(GOOD);
    assertThat(told.cValue()).isEqualTo(0.25);
    assertThat(told.completion()).isEqualTo(0.5);
    assertThat(told.converged()).isFalse();
    assertThat(told.json().as(Event.class)).isEqualTo(told);
    assertThat(told.json().text()).contains("\"matrix.observed\"");
  }

  @Test
  @Tag("E10")
  void nothing_of_a_matrix_can_be_reached_from_a_node() {
    assertThat(NodeContext.class.getMethods())
        .allSatisfy(method -> {
          assertThat(method.getReturnType()).isNotIn(MatrixHook.class, Signal.class);
          assertThat(Arrays.asList(method.getParameterTypes()))
              .doesNotContain(MatrixHook.class, Signal.class);
        });
  }
}
