package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.invalid;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Answer;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.json.Json;
import dev.superstep.node.Approval;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InterruptTest {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);
  static final Question<String, Approval> SURE = Question.of("sure", String.class, Approval.class);

  sealed interface Verdict {
    record Yes() implements Verdict {}

    record No(String why) implements Verdict {}
  }

  static final Question<String, Verdict> JUDGE = Question.of("judge", String.class, Verdict.class);
  static final Question<String, Json> ANY = Question.of("any", String.class, Json.class);

  static Graph alone(Node node) {
    return Graph.named("alone")
        .channels(SAID)
        .questions(ASK, SURE, JUDGE, ANY)
        .node("a", node)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  static Graph siblings(int many, Node node) {
    var builder = Graph.named("siblings").channels(SAID).questions(ASK, SURE);
    for (int i = 0; i < many; i++) {
      builder.node("n" + i, node).edge(START, "n" + i).edge("n" + i, END);
    }
    return builder.compile();
  }

  @Test
  @Tag("X6")
  void several_questions_of_a_node_are_asked_in_turn_and_answers_replayed_in_order()
      throws Exception {
    var starts = new AtomicInteger();
    var graph =
        alone((_, context) -> {
          starts.incrementAndGet();
          var name = context.interrupt(ASK, "Name?");
          var colour = context.interrupt(ASK, "Colour of " + name + "?");
          var sure = context.interrupt(SURE, colour + "?");
          return Update.of(SAID, name + " " + colour + " " + sure.approved());
        });
    var options = kept();
    var first = asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(ASK.read(first)).isEqualTo("Name?");
    assertThat(first.index()).isZero();
    var second = asked(graph.resume(Answers.of(first.id(), "Rex"), options)).getFirst();
    assertThat(ASK.read(second)).isEqualTo("Colour of Rex?");
    assertThat(second.index()).isEqualTo(1);
    var third = asked(graph.resume(Answers.of(second.id(), "red"), options)).getFirst();
    assertThat(third.question()).isEqualTo("sure");
    var outcome = graph.resume(Answers.of(third.id(), Approval.yes()), options);
    assertThat(completed(outcome).get(SAID)).containsExactly("Rex red true");
    assertThat(starts).hasValue(4);
  }

  @Test
  @Tag("T97")
  @Tag("W18")
  @Tag("W59")
  void all_questions_of_a_superstep_come_together_and_may_be_answered_in_any_order()
      throws Exception {
    Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
    var graph =
        siblings(
            3,
            (_, context) -> {
              runs.computeIfAbsent(context.node(), _ -> new AtomicInteger()).incrementAndGet();
              return Update.of(SAID, context.node() + context.interrupt(ASK, context.node()));
            });
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options));
    assertThat(open).extracting(q -> ASK.read(q)).containsExactly("n0", "n1", "n2");
    assertThat(asked(graph.resume(Answers.of(open.get(2).id(), "-2"), options)))
        .containsExactly(open.get(0), open.get(1));
    assertThat(graph.state(options).orElseThrow().questions())
        .containsExactly(open.get(0), open.get(1));
    var rest = Answers.of(open.get(1).id(), "-1").and(ASK.answer(open.get(0), "-0"));
    assertThat(completed(graph.resume(rest, options)).get(SAID))
        .containsExactly("n0-0", "n1-1", "n2-2");
    assertThat(runs.values()).allSatisfy(count -> assertThat(count).hasValue(2));
  }

  @Test
  void a_question_passes_through_catch_exception() throws Exception {
    var graph =
        alone((_, context) -> {
          try {
            return Update.of(SAID, context.interrupt(ASK, "?"));
          } catch (Exception e) {
            return Update.of(SAID, "swallowed");
          }
        });
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(completed(graph.resume(Answers.of(open.id(), "yes"), options)).get(SAID))
        .containsExactly("yes");
  }

  @Test
  void a_question_that_a_node_swallows_as_a_throwable_still_waits() throws Exception {
    var graph =
        alone((_, context) -> {
          try {
            return Update.of(SAID, context.interrupt(ASK, "?"));
          } catch (Throwable e) {
            return Update.of(SAID, "swallowed");
          }
        });
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(completed(graph.resume(Answers.of(open.id(), "yes"), options)).get(SAID))
        .containsExactly("yes");
  }

  @Test
  @Tag("T96")
  @Tag("T97")
  void a_question_in_a_run_without_a_checkpointer_is_an_error_that_says_what_to_do() {
    var graph = alone((_, context) -> Update.of(SAID, context.interrupt(ASK, "?")));
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none())))
        .satisfies(invalid(Reason.INTERRUPT_NEEDS_CHECKPOINTER))
        .hasMessageContaining("`RunOptions.thread(...).checkpoints(...)`");
  }

  @Test
  void a_question_that_the_graph_does_not_declare_is_an_error() {
    var stranger = Question.of("stranger", String.class, String.class);
    var graph = alone((_, context) -> Update.of(SAID, context.interrupt(stranger, "?")));
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none(), kept())))
        .satisfies(invalid(Reason.UNDECLARED_QUESTION));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "1", "{\"approved\":1}", "{}", "{\"approved\":true,\"x\":1}"})
  void an_answer_of_the_wrong_shape_is_rejected_and_nothing_is_stored(String json)
      throws Exception {
    var graph =
        alone((_, context) -> Update.of(SAID, "" + context.interrupt(SURE, "?").approved()));
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    var error =
        thrown(
            AnswerRejected.class,
            () -> graph.resume(Answers.json(open.id(), Json.parse(json)), options));
    assertThat(error.interrupt()).isEqualTo(open.id());
    assertThat(graph.state(options).orElseThrow().questions()).containsExactly(open);
    assertThat(
            completed(graph.resume(Answers.of(open.id(), Approval.no("why")), options)).get(SAID))
        .containsExactly("false");
  }

  @Test
  void one_invalid_answer_of_several_stores_none() throws Exception {
    var graph =
        siblings(2, (_, context) -> Update.of(SAID, context.interrupt(ASK, context.node())));
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options));
    var good = ASK.answer(open.get(0), "x");
    for (var bad :
        List.of(
            new Answer(open.get(1).id(), Json.ofNull()),
            new Answer("nobody", Json.string("x")),
            ASK.answer(open.get(0), "twice"))) {
      thrown(AnswerRejected.class, () -> graph.resume(new Answers(List.of(good, bad)), options));
      assertThat(graph.state(options).orElseThrow().questions()).hasSize(2);
    }
  }

  @Test
  void an_answer_to_an_answered_or_unknown_question_is_rejected() throws Exception {
    var graph =
        siblings(2, (_, context) -> Update.of(SAID, context.interrupt(ASK, context.node())));
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options));
    graph.resume(Answers.of(open.getFirst().id(), "x"), options);
    assertThat(
            thrown(
                AnswerRejected.class,
                () -> graph.resume(Answers.of(open.getFirst().id(), "y"), options)))
        .hasMessageContaining("answered before");
    assertThat(thrown(AnswerRejected.class, () -> graph.resume(Answers.of("nobody", "y"), options)))
        .hasMessageContaining("no such open question")
        .hasMessageContaining(open.getLast().id());
    completed(graph.resume(Answers.of(open.getLast().id(), "z"), options));
    assertThat(
            thrown(
                AnswerRejected.class,
                () -> graph.resume(Answers.of(open.getLast().id(), "late"), options)))
        .hasMessageContaining("no such open question");
  }

  @Test
  void json_null_is_an_answer_where_any_json_is() throws Exception {
    var graph = alone((_, context) -> Update.of(SAID, context.interrupt(ANY, "?").text()));
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(completed(graph.resume(Answers.json(open.id(), Json.ofNull()), options)).get(SAID))
        .containsExactly("null");
  }

  @Test
  void an_answer_may_be_a_case_of_a_sealed_type() throws Exception {
    var graph = alone((_, context) -> Update.of(SAID, "" + context.interrupt(JUDGE, "?")));
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    var answer = new Answers(List.of(JUDGE.answer(open, new Verdict.No("late"))));
    assertThat(completed(graph.resume(answer, options)).get(SAID)).containsExactly("No[why=late]");
  }

  @Test
  void a_node_that_fails_after_its_answer_is_not_asked_again() throws Exception {
    var broken = new AtomicInteger(1);
    var graph =
        alone((_, context) -> {
          var said = context.interrupt(ASK, "?");
          if (broken.getAndDecrement() > 0) throw new IllegalStateException("no");
          return Update.of(SAID, said);
        });
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    thrown(NodeFailed.class, () -> graph.resume(Answers.of(open.id(), "kept"), options));
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID)).containsExactly("kept");
  }

  @Test
  @Tag("X8")
  void a_failed_sibling_does_not_lose_a_question_and_the_failure_is_reported() throws Exception {
    var broken = new AtomicInteger(1);
    var graph =
        Graph.named("mixed")
            .channels(SAID)
            .questions(ASK)
            .node("asks", (_, context) -> Update.of(SAID, context.interrupt(ASK, "?")))
            .node(
                "fails",
                (_, _) -> {
                  if (broken.getAndDecrement() > 0) throw new IllegalStateException("no");
                  return Update.of(SAID, "mended");
                })
            .edge(START, "asks")
            .edge(START, "fails")
            .edge("asks", END)
            .edge("fails", END)
            .compile();
    var options = kept();
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    var open = graph.state(options).orElseThrow().questions();
    assertThat(open).hasSize(1);
    assertThat(asked(graph.resume(Answers.none(), options))).isEqualTo(open);
    assertThat(completed(graph.resume(Answers.of(open.getFirst().id(), "yes"), options)).get(SAID))
        .containsExactly("yes", "mended");
  }

  @Test
  void questions_asked_in_a_loop_have_ids_of_their_own() throws Exception {
    var graph =
        Graph.named("loop")
            .channels(SAID)
            .questions(ASK)
            .node("a", (_, context) -> Update.of(SAID, context.interrupt(ASK, "again?")))
            .edge(START, "a")
            .route("a", s -> s.get(SAID).getLast().equals("yes") ? "a" : END, "a", END)
            .compile();
    var options = kept();
    var ids = new ArrayList<String>();
    var outcome = graph.invoke(Input.none(), options);
    for (var answer : List.of("yes", "yes", "no")) {
      var open = asked(outcome).getFirst();
      ids.add(open.id());
      outcome = graph.resume(Answers.of(open.id(), answer), options);
    }
    assertThat(completed(outcome).get(SAID)).containsExactly("yes", "yes", "no");
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void random_numbers_of_a_task_repeat_when_it_runs_again() throws Exception {
    var seen = new ArrayList<List<Long>>();
    var graph =
        alone((_, context) -> {
          seen.add(List.of(context.random().nextLong(), context.random().nextLong()));
          context.interrupt(ASK, "?");
          return NodeResult.nothing();
        });
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    completed(graph.resume(Answers.of(open.id(), "x"), options));
    assertThat(seen.get(0)).isEqualTo(seen.get(1)).doesNotHaveDuplicates();
  }
}
