package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.ConcurrentWrites;
import dev.superstep.error.InvalidStateUpdate;
import dev.superstep.node.Command;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// State that is changed between runs, and looked at as it was.
@Tag("T95")
final class StateUpdateTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Channel<String, String> NAME = Channel.latest("name", String.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);

  private final RunOptions options =
      RunOptions.thread("t").checkpoints(new InMemoryCheckpointer()).ids(Runs.countingIds());
  private final AtomicInteger charged = new AtomicInteger();

  /// One node charges, the one beside it asks; then a third sums up.
  private Graph desk() {
    return Graph.named("desk")
        .channels(SAID, NAME)
        .questions(WHAT)
        .node("charge", (_, _) -> Update.of(SAID, "charged " + charged.incrementAndGet()))
        .node("ask", (_, context) -> Update.of(SAID, context.interrupt(WHAT, "colour?")))
        .node("sum", (state, _) -> Update.of(SAID, "sum of " + state.get(SAID).size()))
        .edge(START, "charge")
        .edge(START, "ask")
        .edge("charge", "sum")
        .edge("ask", "sum")
        .edge("sum", END)
        .compile();
  }

  @Test
  void a_state_update_folds_its_writes_and_activates_successors() throws Exception {
    var graph = desk();
    asked(graph.invoke(Input.none(), options));
    var edited = graph.update(options, StateUpdate.as("ask", Update.of(SAID, "by hand")));
    assertThat(edited.state().get(SAID)).containsExactly("by hand");
    assertThat(edited.next()).containsExactly("charge", "sum");
    assertThat(edited.questions()).isEmpty();
    var end = completed(graph.resume(Answers.none(), options));
    assertThat(end.get(SAID)).containsExactly("by hand", "charged 1", "sum of 1", "sum of 3");
    assertThat(charged).hasValue(1);
  }

  @Test
  void finished_tasks_and_open_questions_survive_a_state_update() throws Exception {
    var graph = desk();
    var question = asked(graph.invoke(Input.none(), options)).getFirst();
    var edited = graph.update(options, StateUpdate.as("sum", Update.of(NAME, "Zoë")));
    assertThat(edited.next()).containsExactly("charge", "ask");
    assertThat(edited.questions()).containsExactly(question);
    var end = completed(graph.resume(Answers.of(question.id(), "red"), options));
    assertThat(end.get(SAID)).containsExactly("charged 1", "red", "sum of 2");
    assertThat(end.get(NAME)).isEqualTo("Zoë");
    assertThat(charged).hasValue(1);
  }

  @Test
  void an_answer_that_was_given_before_an_edit_counts_after_it() throws Exception {
    var second = Question.of("second", String.class, String.class);
    var graph =
        Graph.named("two")
            .channels(SAID, NAME)
            .questions(WHAT, second)
            .node(
                "ask",
                (_, context) ->
                    Update.of(SAID, context.interrupt(WHAT, "1") + context.interrupt(second, "2")))
            .node("other", (_, _) -> NodeResult.nothing())
            .edge(START, "ask")
            .edge("ask", "other")
            .edge("other", END)
            .compile();
    var first = asked(graph.invoke(Input.none(), options)).getFirst();
    var next = asked(graph.resume(Answers.of(first.id(), "a"), options)).getFirst();
    graph.update(options, StateUpdate.as("other", Update.of(NAME, "x")));
    var end = completed(graph.resume(Answers.of(next.id(), "b"), options));
    assertThat(end.get(SAID)).containsExactly("ab");
  }

  @Test
  void a_state_update_may_name_successors_by_a_command() throws Exception {
    var graph =
        Graph.named("free")
            .channels(SAID)
            .node("a", (_, _) -> Command.to("b"))
            .node("b", (_, _) -> Update.of(SAID, "b"))
            .node("c", (_, _) -> Update.of(SAID, "c"))
            .destinations("a", "b", "c")
            .edge(START, "a")
            .edge("b", END)
            .edge("c", END)
            .compile();
    completed(graph.invoke(Input.none(), options));
    var edited = graph.update(options, StateUpdate.as("a", Command.to("c")));
    assertThat(edited.next()).containsExactly("c");
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID))
        .containsExactly("b", "c");
  }

  @Test
  void several_edits_are_one_superstep_and_conflict_as_nodes_do() throws Exception {
    var graph = desk();
    asked(graph.invoke(Input.none(), options));
    var error =
        thrown(
            ConcurrentWrites.class,
            () ->
                graph.update(
                    options,
                    StateUpdate.as("charge", Update.of(NAME, "a")),
                    StateUpdate.as("ask", Update.of(NAME, "b"))));
    assertThat(error.getMessage()).contains("charge", "ask");
    var edited =
        graph.update(
            options,
            StateUpdate.as("ask", Update.of(SAID, "two")),
            StateUpdate.as("charge", Update.of(SAID, "one")));
    assertThat(edited.next()).containsExactly("sum");
    assertThat(edited.state().get(SAID)).containsExactly("two", "one");
    assertThat(graph.history(Optional.empty(), 10, options)).hasSize(2);
  }

  @Test
  void an_edit_that_cannot_be_made_changes_nothing() throws Exception {
    var graph = desk();
    asked(graph.invoke(Input.none(), options));
    var unknown =
        thrown(
            InvalidStateUpdate.class,
            () -> graph.update(options, StateUpdate.as("summ", Update.of(NAME, "x"))));
    assertThat(unknown.getMessage()).contains("`summ`", "Did you mean `sum`?");
    thrown(IllegalArgumentException.class, () -> graph.update(options));
    assertThat(graph.history(Optional.empty(), 10, options)).hasSize(1);
  }

  @Test
  void a_thread_that_is_at_work_cannot_be_edited() throws Exception {
    var store = new InMemoryCheckpointer();
    var on = RunOptions.thread("t").checkpoints(store);
    var graph = desk();
    asked(graph.invoke(Input.none(), on));
    store.acquire("t", "somebody", Duration.ofSeconds(20));
    thrown(ThreadBusy.class, () -> graph.update(on, StateUpdate.as("sum", NodeResult.nothing())));
  }

  @Test
  void history_is_read_in_pages_with_the_state_of_each_checkpoint() throws Exception {
    var graph = desk();
    var question = asked(graph.invoke(Input.none(), options)).getFirst();
    completed(graph.resume(Answers.of(question.id(), "red"), options));
    var newest = graph.history(Optional.empty(), 2, options);
    assertThat(newest).extracting(Checkpoint::step).containsExactly(2, 1);
    var rest = graph.history(Optional.of(newest.getLast().id()), 10, options);
    assertThat(rest).extracting(Checkpoint::step).containsExactly(0);
    var first = graph.state(rest.getFirst().id(), options).orElseThrow();
    assertThat(first.state().get(SAID)).isEmpty();
    assertThat(first.next()).containsExactly("charge", "ask");
    var second = graph.state(newest.getLast().id(), options).orElseThrow();
    assertThat(second.state().get(SAID)).containsExactly("charged 1", "red");
    assertThat(graph.state("unknown", options)).isEmpty();
  }

  @Test
  void a_state_update_is_published_and_recorded_in_the_journal() throws Exception {
    var graph = desk();
    asked(graph.invoke(Input.none(), options));
    var told = new java.util.ArrayList<dev.superstep.event.Event>();
    graph.update(options.listener(told::add), StateUpdate.as("ask", Update.of(SAID, "x")));
    assertThat(Runs.kinds(told)).containsExactly("state.updated [ask]");
  }
}
