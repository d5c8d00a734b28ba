package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.ThreadError;
import dev.superstep.json.Json;
import dev.superstep.node.Ask;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Migration;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Threads whose graph has changed since they were parked.
@Tag("A17")
final class MigrationTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Channel<List<String>, String> TOLD = Channel.append("told", String.class);
  private static final Channel<String, String> MOOD = Channel.latest("mood", String.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t").checkpoints(store);
  private final AtomicInteger paid = new AtomicInteger();

  private static NodeResult ask(NodeContext context, Channel<List<String>, String> into) {
    return Update.of(into, context.interrupt(WHAT, "colour?"));
  }

  /// Pays and asks side by side, then sums up.
  private Graph before() {
    return Graph.named("desk")
        .channels(SAID, MOOD)
        .questions(WHAT)
        .node("pay", (_, _) -> Update.of(SAID, "paid " + paid.incrementAndGet()).and(MOOD, "good"))
        .node("ask", (_, context) -> ask(context, SAID))
        .node("sum", (state, _) -> Update.of(SAID, "sum " + state.get(SAID).size()))
        .edge(START, "pay")
        .edge(START, "ask")
        .join(List.of("pay", "ask"), "sum")
        .edge("sum", END)
        .compile();
  }

  /// The same with other names, and without the mood.
  private Graph after() {
    return Graph.named("desk")
        .channels(TOLD)
        .questions(WHAT)
        .node("charge", (_, _) -> Update.of(TOLD, "charged " + paid.incrementAndGet()))
        .node("enquire", (_, context) -> ask(context, TOLD))
        .node("total", (state, _) -> Update.of(TOLD, "total " + state.get(TOLD).size()))
        .edge(START, "charge")
        .edge(START, "enquire")
        .join(List.of("charge", "enquire"), "total")
        .edge("total", END)
        .compile();
  }

  private Migration renaming() {
    return Migration.between(before().topology().hash(), after().topology().hash())
        .renameNode("pay", "charge")
        .renameNode("ask", "enquire")
        .renameNode("sum", "total")
        .renameChannel("said", "told")
        .transform("told", json -> Json.string(json.as(String.class).toUpperCase()))
        .drop("mood");
  }

  @Test
  void a_thread_of_another_shape_is_refused_with_the_differences() throws Exception {
    asked(before().invoke(Input.none(), options));
    var error = thrown(ThreadError.class, () -> after().resume(Answers.none(), options));
    assertThat(error.reason()).isEqualTo(ThreadError.Reason.OTHER_GRAPH);
    assertThat(error.getMessage())
        .contains(before().topology().hash(), after().topology().hash())
        .contains("- node pay", "+ node charge", "- channel mood");
    thrown(ThreadError.class, () -> after().invoke(Input.none(), options));
    thrown(ThreadError.class, () -> after().state(options));
  }

  @Test
  void an_interrupted_thread_resumes_after_a_migration_and_repeats_nothing() throws Exception {
    var question = asked(before().invoke(Input.none(), options)).getFirst();
    var moving = options.migrations(renaming());
    var seen = after().state(moving).orElseThrow();
    assertThat(seen.questions()).extracting(q -> q.id()).containsExactly(question.id());
    assertThat(seen.next()).containsExactly("charge", "enquire");
    assertThat(before().history(Optional.empty(), 10, options)).hasSize(1);
    var end = completed(after().resume(Answers.of(question.id(), "red"), moving));
    assertThat(end.get(TOLD)).containsExactly("PAID 1", "red", "total 2");
    assertThat(paid).hasValue(1);
    assertThat(after().history(Optional.empty(), 10, options))
        .extracting(Checkpoint::source)
        .containsExactly(
            Checkpoint.Source.LOOP,
            Checkpoint.Source.LOOP,
            Checkpoint.Source.MIGRATION,
            Checkpoint.Source.INPUT);
    assertThat(asked(after().invoke(Input.none(), options))).hasSize(1);
  }

  @Test
  void migrations_that_follow_each_other_are_applied_in_one_go() throws Exception {
    var question = asked(before().invoke(Input.none(), options)).getFirst();
    var first =
        Migration.between(before().topology().hash(), "between")
            .renameNode("pay", "x")
            .renameChannel("said", "y");
    var second =
        Migration.between("between", after().topology().hash())
            .renameNode("x", "charge")
            .renameNode("ask", "enquire")
            .renameNode("sum", "total")
            .renameChannel("y", "told")
            .drop("mood");
    var moving = options.migrations(second, first);
    var end = completed(after().resume(Answers.of(question.id(), "red"), moving));
    assertThat(end.get(TOLD)).containsExactly("paid 1", "red", "total 2");
  }

  @Test
  void a_migration_that_forgets_something_is_refused_and_the_thread_is_unchanged()
      throws Exception {
    asked(before().invoke(Input.none(), options));
    var forgetful =
        Migration.between(before().topology().hash(), after().topology().hash())
            .renameChannel("said", "told")
            .drop("mood");
    var error =
        thrown(
            ThreadError.class, () -> after().resume(Answers.none(), options.migrations(forgetful)));
    assertThat(error.getMessage()).contains("node `pay` is unknown", "migration");
    assertThat(before().state(options).orElseThrow().next()).containsExactly("pay", "ask");
  }

  @Test
  void a_change_can_be_allowed_if_all_that_is_used_is_still_there() throws Exception {
    var question = asked(before().invoke(Input.none(), options)).getFirst();
    var more =
        Graph.named("desk")
            .channels(SAID, MOOD, TOLD)
            .questions(WHAT)
            .node("pay", (_, _) -> Update.of(SAID, "paid again"))
            .node("ask", (_, context) -> ask(context, SAID))
            .node("sum", (state, _) -> Update.of(SAID, "sum " + state.get(SAID).size()))
            .node("tell", (_, _) -> Update.of(TOLD, "told"))
            .edge(START, "pay")
            .edge(START, "ask")
            .join(List.of("pay", "ask"), "sum")
            .edge("sum", "tell")
            .edge("tell", END)
            .compile();
    thrown(ThreadError.class, () -> more.resume(Answers.none(), options));
    var allowed = options.allowTopologyChange();
    var end = completed(more.resume(Answers.of(question.id(), "red"), allowed));
    assertThat(end.get(SAID)).containsExactly("paid 1", "red", "sum 2");
    assertThat(end.get(TOLD)).containsExactly("told");
    thrown(ThreadError.class, () -> after().resume(Answers.none(), allowed));
  }

  /// The graph of [#before] with one channel more.
  private Graph with(Channel<?, ?> more) {
    return Graph.named("desk")
        .channels(SAID, MOOD, more)
        .questions(WHAT)
        .node("pay", (_, _) -> Update.of(SAID, "paid again"))
        .node("ask", (_, context) -> ask(context, SAID))
        .node("sum", (state, _) -> Update.of(SAID, "sum " + state.find(more)))
        .edge(START, "pay")
        .edge(START, "ask")
        .join(List.of("pay", "ask"), "sum")
        .edge("sum", END)
        .compile();
  }

  @Test
  void a_graph_with_an_added_channel_that_has_an_initial_value_continues() throws Exception {
    var question = asked(before().invoke(Input.none(), options)).getFirst();
    var now = with(TOLD);
    assertThat(now.state(options).orElseThrow().next()).containsExactly("pay", "ask");
    var end = completed(now.resume(Answers.of(question.id(), "red"), options));
    assertThat(end.get(SAID)).containsExactly("paid 1", "red", "sum Optional[[]]");
    assertThat(end.get(MOOD)).isEqualTo("good");
    assertThat(now.history(Optional.empty(), 10, options))
        .extracting(Checkpoint::source)
        .contains(Checkpoint.Source.MIGRATION);
    var back = thrown(ThreadError.class, () -> before().invoke(Input.none(), options));
    assertThat(back.getMessage()).contains("- channel told");
  }

  @Test
  void a_channel_more_that_begins_with_nothing_is_refused_while_something_is_due()
      throws Exception {
    asked(before().invoke(Input.none(), options));
    var now = with(Channel.latest("why", String.class));
    var error = thrown(ThreadError.class, () -> now.resume(Answers.none(), options));
    assertThat(error.getMessage()).contains("+ channel why");
    var allowed = options.allowTopologyChange();
    assertThat(now.state(allowed).orElseThrow().next()).containsExactly("pay", "ask");
  }

  @Test
  void an_added_channel_without_an_initial_value_is_accepted_without_pending_tasks()
      throws Exception {
    var question = asked(before().invoke(Input.none(), options)).getFirst();
    completed(before().resume(Answers.of(question.id(), "red"), options));
    var now = with(Channel.latest("why", String.class));
    assertThat(now.state(options).orElseThrow().state().get(SAID)).hasSize(3);
    assertThat(asked(now.invoke(Input.none(), options))).hasSize(1);
  }

  @Test
  void partial_joins_and_returned_questions_are_migrated() throws Exception {
    var old = returning("ask", "slow", "sum");
    var now = returning("enquire", "later", "total");
    var question = asked(old.invoke(Input.none(), options)).getFirst();
    var moving =
        options.migrations(
            Migration.between(old.topology().hash(), now.topology().hash())
                .renameNode("ask", "enquire")
                .renameNode("slow", "later")
                .renameNode("sum", "total"));
    var end = completed(now.resume(Answers.of(question.id(), "red"), moving));
    assertThat(end.get(SAID)).containsExactly("later", "red", "total");
  }

  private static Graph returning(String ask, String slow, String sum) {
    return Graph.named("returning")
        .channels(SAID)
        .questions(WHAT)
        .node(
            ask,
            (_, context) ->
                context.resumePoint().isPresent()
                    ? Update.of(SAID, context.answer(WHAT))
                    : Ask.of(WHAT, "colour?"))
        .node(slow, (_, _) -> Update.of(SAID, "later"))
        .node(sum, (_, _) -> Update.of(SAID, "total"))
        .edge(START, ask)
        .edge(START, slow)
        .join(List.of(ask, slow), sum)
        .edge(sum, END)
        .compile();
  }

  @Test
  void a_graph_inside_that_has_changed_moves_by_its_own_migration() throws Exception {
    var old = outer("ask");
    var now = outer("enquire");
    var question = asked(old.invoke(Input.none(), options)).getFirst();
    var inner =
        Migration.between(inner("ask").topology().hash(), inner("enquire").topology().hash())
            .renameNode("ask", "enquire");
    var around = Migration.between(old.topology().hash(), now.topology().hash());
    var moving = options.migrations(inner, around);
    var end = completed(now.resume(Answers.of(question.id(), "red"), moving));
    assertThat(end.get(SAID)).containsExactly("red");
  }

  private static Graph inner(String ask) {
    return Graph.named("inner")
        .channels(TOLD)
        .questions(WHAT)
        .node(ask, (_, context) -> ask(context, TOLD))
        .edge(START, ask)
        .edge(ask, END)
        .compile();
  }

  private static Graph outer(String ask) {
    return Graph.named("outer")
        .channels(SAID)
        .node(
            "sub",
            Subgraph.of(
                inner(ask),
                (dev.superstep.state.State _) -> Input.none(),
                state -> Update.all(SAID, state.get(TOLD))))
        .edge(START, "sub")
        .edge("sub", END)
        .compile();
  }

  private static Graph remembering(String node, Channel<?, ?>... more) {
    var channels = new ArrayList<Channel<?, ?>>(List.of(TOLD));
    channels.addAll(List.of(more));
    var inside =
        Graph.named("friend")
            .channels(channels.toArray(Channel<?, ?>[]::new))
            .node("hear", (state, _) -> Update.of(TOLD, "" + state.get(TOLD).size()))
            .edge(START, "hear")
            .edge("hear", END)
            .compile();
    return Graph.named("host")
        .channels(SAID)
        .node(
            node,
            Subgraph.of(
                    inside,
                    (dev.superstep.state.State _) -> Input.none(),
                    state -> Update.of(SAID, String.join("", state.get(TOLD))))
                .remembering())
        .edge(START, node)
        .edge(node, END)
        .compile();
  }

  @Test
  void the_memory_of_a_subgraph_is_migrated_with_its_node_and_its_own_migrations()
      throws Exception {
    var before = remembering("friend");
    completed(before.invoke(Input.none(), options));
    var first = before.state(options).orElseThrow().checkpoint();
    completed(before.invoke(Input.none(), options));
    var renamed = remembering("pal");
    var moving =
        options.migrations(
            Migration.between(before.topology().hash(), renamed.topology().hash())
                .renameNode("friend", "pal"));
    assertThat(completed(renamed.invoke(Input.none(), moving)).get(SAID))
        .containsExactly("0", "01", "012");
    // The graph inside gets a channel, before and after what is gone back to was said.
    var grown = remembering("pal", MOOD);
    var growing =
        moving.migrations(Migration.between(renamed.topology().hash(), grown.topology().hash()));
    assertThat(completed(grown.invoke(Input.none(), growing)).get(SAID)).endsWith("0123");
    Threads.in(options.checkpointer().orElseThrow()).rewind("t", first);
    assertThat(completed(grown.invoke(Input.none(), growing)).get(SAID)).containsExactly("0", "01");
    assertThat(completed(grown.invoke(Input.none(), growing)).get(SAID))
        .containsExactly("0", "01", "012");
  }
}
