package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.error.ThreadError;
import dev.superstep.event.Event;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("T103")
@Tag("T95")
class SubgraphThreadTest {
  private static final Channel<String, String> ITEM = Channel.latest("item", String.class);
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Channel<List<String>, String> OUT = Channel.append("out", String.class);
  private static final Target<String> EACH = Target.of("each", String.class);
  private static final Question<String, Approval> SURE =
      Question.of("sure", String.class, Approval.class);

  private final Map<String, Integer> runs = new ConcurrentHashMap<>();

  private NodeResult did(String what) {
    runs.merge(what, 1, Integer::sum);
    return Update.of(LOG, what);
  }

  /// Two steps, the second of which asks about `ask`.
  private Graph inner() {
    return Graph.named("inner")
        .channels(ITEM, LOG)
        .questions(SURE)
        .node("first", (state, _) -> did("first " + state.get(ITEM)))
        .node(
            "second",
            (state, context) -> {
              var item = state.get(ITEM);
              if (item.equals("ask")) context.interrupt(SURE, item);
              return did("second " + item);
            })
        .sequence(START, "first", "second", END)
        .compile();
  }

  private static Subgraph<String> of(Graph graph) {
    return Subgraph.of(
        graph,
        item -> Input.of(ITEM, item),
        end -> Update.of(OUT, String.join(", ", end.get(LOG))));
  }

  private static Graph each(Subgraph<String> subgraph, String... items) {
    var sends = new ArrayList<Send<?>>();
    for (var item : items) sends.add(Send.to(EACH, item));
    return Graph.named("outer")
        .channels(OUT)
        .questions(SURE)
        .node("split", (_, _) -> NodeResult.nothing())
        .node(EACH, subgraph)
        .edge(START, "split")
        .fanOut("split", _ -> sends, EACH)
        .edge("each", END)
        .compile();
  }

  /// A graph around whose task asks for one item after the other.
  private static Graph middle(Graph inner) {
    return Graph.named("middle")
        .channels(ITEM, LOG, OUT)
        .questions(SURE)
        .node("begin", (_, _) -> Update.of(LOG, "begun"))
        .node(
            "deep",
            Subgraph.<State>of(
                inner,
                state -> Input.of(ITEM, state.get(ITEM)),
                end -> Update.all(LOG, end.get(LOG))))
        .sequence(START, "begin", "deep", END)
        .compile();
  }

  /// Without runs that keep no checkpoint but the last one.
  private static Stream<Arguments> withHistory() {
    return cases().filter(one -> one.get()[0] != Durability.EXIT);
  }

  private static Stream<Arguments> cases() {
    var cases = new ArrayList<Arguments>();
    for (var durability : Durability.values()) {
      cases.add(Arguments.of(durability, false));
      cases.add(Arguments.of(durability, true));
    }
    return cases.stream();
  }

  private static RunOptions options(Durability durability, boolean encrypted) {
    var memory = new InMemoryCheckpointer();
    Checkpointer store =
        encrypted ? EncryptedCheckpointer.over(memory, KeyRing.of("k", new byte[32])) : memory;
    return RunOptions.thread("t").checkpoints(store).durability(durability);
  }

  private static SubgraphThread at(Graph graph, RunOptions options, String task) {
    return graph.subgraph(graph.state(options).orElseThrow().checkpoint(), task, options);
  }

  private static Checkpoint after(SubgraphThread child, String node) {
    return child.history(Optional.empty(), 99).stream()
        .filter(one -> one.progress().ran().contains(node))
        .findFirst()
        .orElseThrow();
  }

  /// The newest checkpoint of the thread from which a task of this node ran.
  private static String before(Graph graph, RunOptions options, String node) {
    return graph.history(Optional.empty(), 99, options).stream()
        .filter(one -> one.progress().next().stream().anyMatch(due -> due.node().equals(node)))
        .findFirst()
        .orElseThrow()
        .id();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_waiting_subgraph_can_be_read_edited_and_continued(Durability durability, boolean encrypted)
      throws Exception {
    var graph = each(of(inner()), "a", "ask", "b");
    var options = options(durability, encrypted);
    asked(graph.invoke(Input.none(), options));
    var child = at(graph, options, "each#1");
    var state = child.state().orElseThrow();
    assertThat(state.state().get(LOG)).containsExactly("first ask");
    assertThat(state.next()).containsExactly("second");
    var older = child.history(Optional.empty(), 99).getLast();
    var begin = durability == Durability.EXIT ? "second" : "first";
    assertThat(child.state(older.id()).orElseThrow().next()).containsExactly(begin);

    // In place of the node that asks.
    var edited = child.update(StateUpdate.as("second", Update.of(LOG, "edited")));
    assertThat(edited.state().get(LOG)).containsExactly("first ask", "edited");
    var end = completed(graph.resume(Answers.none(), options));
    assertThat(end.get(OUT))
        .containsExactly("first a, second a", "first ask, edited", "first b, second b");
    assertThat(runs.values()).containsOnly(1);
  }

  @ParameterizedTest
  @MethodSource("withHistory")
  void a_waiting_subgraph_is_taken_back_without_its_siblings(
      Durability durability, boolean encrypted) throws Exception {
    var graph = each(of(inner()), "a", "ask", "b");
    var options = options(durability, encrypted);
    asked(graph.invoke(Input.none(), options));
    var child = at(graph, options, "each#1");
    var begin = child.history(Optional.empty(), 99).getLast();
    var again = child.rewind(begin.id());
    assertThat(again.state().orElseThrow().next()).containsExactly("first");
    again.update(StateUpdate.as("first", Update.of(LOG, "changed").and(Update.of(ITEM, "calm"))));
    var end = completed(graph.resume(Answers.none(), options));
    assertThat(end.get(OUT))
        .containsExactly("first a, second a", "changed, second calm", "first b, second b");
    assertThat(runs).doesNotContainKey("first calm").containsEntry("first a", 1);
    assertThat(runs).containsEntry("second b", 1).containsEntry("first ask", 1);
  }

  @ParameterizedTest
  @MethodSource("withHistory")
  void a_finished_subgraph_is_taken_back_with_the_graph_around_it(
      Durability durability, boolean encrypted) throws Exception {
    var graph = each(of(inner()), "a", "b");
    var options = options(durability, encrypted);
    completed(graph.invoke(Input.none(), options));
    var checkpoint = before(graph, options, "each");
    assertThat(graph.state(checkpoint, options).orElseThrow().tasks())
        .allMatch(task -> task.isFinished());
    var child = graph.subgraph(checkpoint, "each#1", options);
    assertThat(child.state().orElseThrow().state().get(LOG)).containsExactly("first b", "second b");
    var error =
        thrown(
            ThreadError.class,
            () -> child.update(StateUpdate.as("second", Update.of(LOG, "late"))));
    assertThat(error.reason()).isEqualTo(ThreadError.Reason.MOVED_ON);

    var again = child.rewind(after(child, "first").id());
    assertThat(graph.state(options).orElseThrow().tasks()).noneMatch(task -> task.isFinished());
    again.update(StateUpdate.as("second", Update.of(LOG, "instead")));
    var end = completed(graph.resume(Answers.none(), options));
    assertThat(end.get(OUT)).containsExactly("first a, second a", "first b, instead");
    // The sibling ran again, what the subgraph had done before did not.
    assertThat(runs).containsEntry("first a", 2).containsEntry("first b", 1);
    assertThat(runs).containsEntry("second b", 1);
    // The old past is still there.
    assertThat(graph.subgraph(checkpoint, "each#1", options).state().orElseThrow().state().get(LOG))
        .containsExactly("first b", "second b");
  }

  @ParameterizedTest
  @MethodSource("withHistory")
  void a_subgraph_in_a_subgraph_is_taken_back(Durability durability, boolean encrypted)
      throws Exception {
    var graph = each(of(middle(inner())), "a", "b");
    var options = options(durability, encrypted);
    completed(graph.invoke(Input.none(), options));
    var outer = graph.subgraph(before(graph, options, "each"), "each#0", options);
    var due =
        outer.history(Optional.empty(), 99).stream()
            .filter(one -> one.progress().next().stream().anyMatch(d -> d.node().equals("deep")))
            .findFirst()
            .orElseThrow();
    var deep = outer.subgraph(due.id(), "deep");
    assertThat(deep.state().orElseThrow().state().get(LOG)).containsExactly("first a", "second a");
    var again = deep.rewind(after(deep, "first").id());
    assertThat(again.state().orElseThrow().next()).containsExactly("second");
    again.update(StateUpdate.as("second", Update.of(LOG, "deeper")));
    var end = completed(graph.resume(Answers.none(), options));
    assertThat(end.get(OUT)).containsExactly("begun, first a, deeper", "begun, first b, second b");
    assertThat(runs).containsEntry("first a", 1).containsEntry("second a", 1);
    assertThat(runs).containsEntry("first b", 2);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_waiting_subgraph_in_a_subgraph_is_edited_in_place(Durability durability, boolean encrypted)
      throws Exception {
    var graph = each(of(middle(inner())), "ask", "b");
    var options = options(durability, encrypted);
    asked(graph.invoke(Input.none(), options));
    var outer = at(graph, options, "each#0");
    var deep = outer.subgraph(outer.state().orElseThrow().checkpoint(), "deep");
    deep.update(StateUpdate.as("second", Update.of(LOG, "edited")));
    var end = completed(graph.resume(Answers.none(), options));
    assertThat(end.get(OUT))
        .containsExactly("begun, first ask, edited", "begun, first b, second b");
    assertThat(runs.values()).containsOnly(1);
  }

  @ParameterizedTest
  @MethodSource("withHistory")
  void a_subgraph_that_remembers_is_taken_back_with_its_memory(
      Durability durability, boolean encrypted) throws Exception {
    var graph =
        Graph.named("outer")
            .channels(ITEM, OUT)
            .questions(SURE)
            .node(
                "inside",
                Subgraph.<State>of(
                        inner(),
                        state -> Input.of(ITEM, state.get(ITEM)),
                        end -> Update.of(OUT, String.join(", ", end.get(LOG))))
                    .remembering())
            .sequence(START, "inside", END)
            .compile();
    var options = options(durability, encrypted);
    completed(graph.invoke(Input.of(ITEM, "a"), options));
    completed(graph.invoke(Input.of(ITEM, "b"), options));
    var child = graph.subgraph(before(graph, options, "inside"), "inside", options);
    assertThat(child.state().orElseThrow().state().get(LOG))
        .containsExactly("first a", "second a", "first b", "second b");
    var again = child.rewind(after(child, "first").id());
    again.update(StateUpdate.as("second", Update.of(LOG, "instead")));
    completed(graph.resume(Answers.none(), options));
    var third = completed(graph.invoke(Input.of(ITEM, "c"), options));
    assertThat(third.get(OUT))
        .containsExactly(
            "first a, second a",
            "first a, second a, first b, instead",
            "first a, second a, first b, instead, first c, second c");
    assertThat(runs.values()).containsOnly(1);
  }

  @Test
  void a_subgraph_in_a_store_of_its_own_is_taken_back_there() throws Exception {
    var other = new InMemoryCheckpointer();
    var graph = each(of(inner()).checkpointer(other), "a", "ask");
    var options = options(Durability.SYNC, false);
    asked(graph.invoke(Input.none(), options));
    var child = at(graph, options, "each#1");
    child
        .rewind(child.history(Optional.empty(), 99).getLast().id())
        .update(StateUpdate.as("first", Update.of(LOG, "x").and(Update.of(ITEM, "y"))));
    var end = completed(graph.resume(Answers.none(), options));
    assertThat(end.get(OUT)).containsExactly("first a, second a", "x, second y");
  }

  @Test
  void what_is_not_there_is_refused_and_nothing_changes() throws Exception {
    var graph = each(of(inner()), "a", "ask");
    var options = options(Durability.SYNC, false);
    asked(graph.invoke(Input.none(), options));
    var head = graph.state(options).orElseThrow().checkpoint();
    var history = graph.history(Optional.empty(), 99, options);
    for (var bad :
        List.of(
            graph.subgraph("no checkpoint", "each#1", options),
            graph.subgraph(head, "each#7", options),
            graph.subgraph(head, "split", options))) {
      var error = thrown(ThreadError.class, () -> bad.rewind("c"));
      assertThat(error.reason()).isEqualTo(ThreadError.Reason.UNKNOWN);
    }
    var child = at(graph, options, "each#1");
    thrown(ThreadError.class, () -> child.rewind("no checkpoint"));
    assertThat(graph.history(Optional.empty(), 99, options)).isEqualTo(history);
    var open = graph.state(options).orElseThrow().questions().getFirst();
    var end = completed(graph.resume(Answers.of(open.id(), SURE, Approval.yes()), options));
    assertThat(end.get(OUT)).hasSize(2);
  }

  @Test
  void changes_are_published_with_the_path_of_the_subgraph() throws Exception {
    var events = new CopyOnWriteArrayList<Event>();
    var graph = each(of(inner()), "a", "ask");
    var options = options(Durability.SYNC, false).journal();
    asked(graph.invoke(Input.none(), options));
    var listening = options.listener(events::add);
    var child = at(graph, listening, "each#1");
    var begin = child.history(Optional.empty(), 99).getLast();
    child.rewind(begin.id()).update(StateUpdate.as("first", Update.of(LOG, "x")));
    assertThat(Runs.kinds(events)).containsExactly("thread.forked", "state.updated [first]");
    assertThat(events).allMatch(event -> event.origin().path().equals(List.of("each#1")));
    var forked = (Event.ThreadForked) events.getFirst();
    assertThat(forked.older()).isEqualTo(begin.id());
  }
}
