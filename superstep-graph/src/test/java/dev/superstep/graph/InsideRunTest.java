package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.InvalidUse;
import dev.superstep.json.Json;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// Graphs that the code of a node runs, as many as it likes.
class InsideRunTest {
  private static final Channel<String, String> WORD = Channel.latest("word", String.class);
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Channel<List<String>, String> ALL = Channel.append("all", String.class);
  private static final Question<String, String> OWN =
      Question.of("own", String.class, String.class);
  private static final Question<String, Boolean> PERSON =
      Question.of("person", String.class, Boolean.class).asApproval();

  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private volatile String deadly = "";

  private Graph inner(Node last) {
    return Graph.named("inner")
        .channels(WORD, SAID)
        .questions(OWN, PERSON)
        .node(
            "a",
            (state, _) -> {
              ran.add("a " + state.get(WORD));
              return Update.of(SAID, state.get(WORD));
            })
        .node("b", last)
        .edge(Graph.START, "a")
        .edge("a", "b")
        .edge("b", Graph.END)
        .compile();
  }

  private Graph plain() {
    return inner((state, _) -> {
      if (state.get(WORD).equals(deadly)) throw new IllegalStateException("it dies");
      ran.add("b " + state.get(WORD));
      return Update.of(SAID, "!");
    });
  }

  private static Graph outer(Node node) {
    return Graph.named("outer")
        .channels(ALL)
        .questions(PERSON)
        .node("n", node)
        .edge(Graph.START, "n")
        .edge("n", Graph.END)
        .compile();
  }

  private RunOptions options() {
    return RunOptions.thread("t").checkpoints(store);
  }

  private static InsideRun run(String key, Graph graph, String word) {
    return InsideRun.of(key, graph, () -> Input.of(WORD, word));
  }

  private static List<String> said(InsideRun.End end) {
    return Objects.requireNonNull(end.state()).get(SAID);
  }

  @Test
  void one_node_runs_several_and_each_goes_on_where_it_was() throws Exception {
    var graph = plain();
    var outer =
        outer((_, context) -> {
          var first = said(run("1", graph, "x").run(context));
          var both =
              Parallel.over(List.of("y", "z"))
                  .map(context, (word, fork) -> said(run("2", graph, word).run(fork)))
                  .all();
          return Update.of(ALL, first + " " + both.size());
        });
    deadly = "x";
    assertThatThrownBy(() -> outer.invoke(Input.none(), options())).hasMessageContaining("it dies");
    deadly = "";
    var end = outer.resume(Answers.none(), options());
    assertThat(((Outcome.Completed) end).state().get(ALL)).containsExactly("[x, !] 2");
    assertThat(ran)
        .containsExactlyInAnyOrder("a x", "b x", "a y", "b y", "a z", "b z")
        .startsWith("a x", "b x");
  }

  @Test
  void a_key_names_one_run() {
    var graph = plain();
    var outer =
        outer((_, context) -> {
          run("1", graph, "x").run(context);
          run("1", graph, "y").run(context);
          return Update.of(ALL, "no");
        });
    assertThatThrownBy(() -> outer.invoke(Input.none(), options()))
        .hasRootCauseInstanceOf(InvalidUse.class);
  }

  @Test
  void its_node_answers_its_own_questions_and_people_the_approvals() throws Exception {
    var graph =
        inner((_, context) -> {
          var word = context.interrupt(OWN, "which?");
          boolean isPaid = context.interrupt(PERSON, "pay for " + word + "?");
          return Update.of(SAID, word + " " + isPaid);
        });
    var outer =
        outer((_, context) -> {
          var line = InsideRun.Line.first();
          var asked = run("1", graph, "x").on(line).answered(Map.of()).run(context);
          var id = asked.asked().getFirst().id();
          var again = new InsideRun.Line(asked.begun(), Optional.empty());
          var second = run("2", graph, "x").on(again);
          assertThat(second.refusal("own", Json.parse("[7]"))).isPresent();
          var end = second.answered(Map.of(id, Json.of("tea"))).run(context);
          return Update.of(ALL, said(end).toString());
        });
    var waiting = (Outcome.Interrupted) outer.invoke(Input.none(), options());
    assertThat(waiting.questions()).extracting(one -> one.question()).containsExactly("person");
    var id = waiting.questions().getFirst().id();
    var end = outer.resume(Answers.of(id, PERSON, true), options());
    assertThat(((Outcome.Completed) end).state().get(ALL)).containsExactly("[x, tea true]");
    assertThat(ran).containsExactly("a x");
  }

  @Test
  void a_line_goes_on_from_the_state_before() throws Exception {
    var graph = plain();
    var outer =
        outer((_, context) -> {
          var first = run("1", graph, "x").on(InsideRun.Line.first()).run(context);
          var line = new InsideRun.Line("", first.left());
          return Update.of(ALL, said(run("2", graph, "y").on(line).run(context)).toString());
        });
    var end = outer.invoke(Input.none(), options());
    assertThat(((Outcome.Completed) end).state().get(ALL)).containsExactly("[x, !, y, !]");
  }
}
