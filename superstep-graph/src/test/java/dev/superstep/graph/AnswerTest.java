package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.error.AnswerRejected;
import dev.superstep.json.Json;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("X7")
@Tag("W19")
class AnswerTest {
  private static final Channel<Map<String, Integer>, Map<String, Integer>> GIVEN =
      Channel.merge("given", Integer.class);
  private static final Question<String, Integer> DISCOUNT =
      Question.of("discount", String.class, Integer.class)
          .checkedBy(d -> d <= 30 ? Optional.empty() : Optional.of("at most 30 percent"));
  private static final Target<String> ORDER = Target.of("order", String.class);

  private final AtomicInteger runs = new AtomicInteger();

  /// Asks once for each order.
  private Graph graph(String... orders) {
    return Graph.named("shop")
        .channels(GIVEN)
        .questions(DISCOUNT)
        .node(
            ORDER,
            (order, _, context) -> {
              runs.incrementAndGet();
              return Update.of(GIVEN, Map.of(order, context.interrupt(DISCOUNT, order)));
            })
        .fanOut(
            START,
            _ -> List.of(orders).stream().<Send<?>>map(o -> Send.to(ORDER, o)).toList(),
            ORDER)
        .edge("order", END)
        .compile();
  }

  private static String id(List<Interrupt> questions, String order) {
    return questions.stream()
        .filter(q -> DISCOUNT.read(q).equals(order))
        .findFirst()
        .orElseThrow()
        .id();
  }

  @Test
  void an_invalid_answer_is_refused_and_a_valid_one_is_accepted() throws Exception {
    var options = kept();
    var question = asked(graph("a").invoke(Input.none(), options)).getFirst();
    var high = Answers.none().and(DISCOUNT.answer(question, 31));
    var error = thrown(AnswerRejected.class, () -> graph("a").resume(high, options));
    assertThat(error).hasMessageContaining("at most 30 percent");
    assertThat(graph("a").state(options).orElseThrow().questions()).containsExactly(question);
    var fair = Answers.none().and(DISCOUNT.answer(question, 30));
    assertThat(completed(graph("a").resume(fair, options)).get(GIVEN)).containsEntry("a", 30);
  }

  @Test
  void no_answer_is_stored_if_one_of_several_is_refused() throws Exception {
    var options = kept();
    var questions = asked(graph("a", "b").invoke(Input.none(), options));
    var answers =
        Answers.json(
            Map.of(id(questions, "a"), Json.parse("1"), id(questions, "b"), Json.parse("99")));
    thrown(AnswerRejected.class, () -> graph("a", "b").resume(answers, options));
    assertThat(graph("a", "b").state(options).orElseThrow().questions()).hasSize(2);
  }

  @Test
  void answers_come_as_a_map_by_id() throws Exception {
    var options = kept();
    var questions = asked(graph("a", "b").invoke(Input.none(), options));
    var answers =
        Answers.json(
            Map.of(id(questions, "b"), Json.parse("2"), id(questions, "a"), Json.parse("1")));
    var end = completed(graph("a", "b").resume(answers, options));
    assertThat(end.get(GIVEN)).isEqualTo(Map.of("a", 1, "b", 2));
  }

  @Test
  void a_question_is_answered_by_its_name_while_it_is_the_only_one() throws Exception {
    var options = kept();
    asked(graph("a").invoke(Input.none(), options));
    var end = graph("a").resume(Answers.json("discount", Json.parse("7")), options);
    assertThat(completed(end).get(GIVEN)).containsEntry("a", 7);
  }

  @Test
  void a_name_that_several_questions_bear_is_refused_with_their_ids() throws Exception {
    var options = kept();
    var questions = asked(graph("a", "b").invoke(Input.none(), options));
    var error =
        thrown(
            AnswerRejected.class,
            () -> graph("a", "b").resume(Answers.json("discount", Json.parse("7")), options));
    assertThat(error)
        .hasMessageContaining(questions.getFirst().id())
        .hasMessageContaining(questions.getLast().id());
    assertThat(graph("a", "b").state(options).orElseThrow().questions()).hasSize(2);
  }

  @Test
  void a_question_answered_by_id_and_by_name_at_once_is_answered_twice() throws Exception {
    var options = kept();
    var question = asked(graph("a").invoke(Input.none(), options)).getFirst();
    var twice = Answers.json(Map.of(question.id(), Json.parse("1"), "discount", Json.parse("2")));
    var error = thrown(AnswerRejected.class, () -> graph("a").resume(twice, options));
    assertThat(error).hasMessageContaining("twice");
  }

  sealed interface Verdict {
    record Grant(int cents) implements Verdict {}

    record Refuse(String why) implements Verdict {}
  }

  private static final Question<String, Verdict> REFUND =
      Question.of("refund", String.class, Verdict.class);
  private static final Channel<Verdict, Verdict> SAID = Channel.latest("said", Verdict.class);

  private static Graph refund() {
    return Graph.named("refund")
        .channels(SAID)
        .questions(REFUND, DISCOUNT)
        .node("decide", (_, in) -> Update.of(SAID, in.interrupt(REFUND, "order 7")))
        .edge(START, "decide")
        .edge("decide", END)
        .compile();
  }

  @Test
  void an_answer_that_is_a_case_of_a_sealed_type_is_given_with_its_question() throws Exception {
    var byId = kept();
    var id = asked(refund().invoke(Input.none(), byId)).getFirst().id();
    var grant = new Verdict.Grant(500);
    assertThat(completed(refund().resume(Answers.of(id, REFUND, grant), byId)).get(SAID))
        .isEqualTo(grant);
    var byName = kept();
    asked(refund().invoke(Input.none(), byName));
    var refuse = new Verdict.Refuse("too late");
    assertThat(completed(refund().resume(Answers.to(REFUND, refuse), byName)).get(SAID))
        .isEqualTo(refuse);
  }

  @Test
  void an_answer_to_another_question_than_the_open_one_is_refused() throws Exception {
    var options = kept();
    asked(refund().invoke(Input.none(), options));
    thrown(AnswerRejected.class, () -> refund().resume(Answers.to(DISCOUNT, 5), options));
    assertThat(refund().state(options).orElseThrow().questions()).hasSize(1);
  }

  @Test
  void answers_to_several_questions_are_put_together() throws Exception {
    var options = kept();
    var questions = asked(graph("a", "b").invoke(Input.none(), options));
    var both =
        Answers.of(id(questions, "a"), DISCOUNT, 1)
            .and(Answers.of(id(questions, "b"), DISCOUNT, 2));
    assertThat(completed(graph("a", "b").resume(both, options)).get(GIVEN))
        .isEqualTo(Map.of("a", 1, "b", 2));
  }

  @Test
  void a_task_without_an_answer_does_not_run_again() throws Exception {
    var options = kept();
    var questions = asked(graph("a", "b", "c").invoke(Input.none(), options));
    assertThat(runs).hasValue(3);
    var one = Answers.json(id(questions, "b"), Json.parse("2"));
    assertThat(asked(graph("a", "b", "c").resume(one, options))).hasSize(2);
    assertThat(runs).hasValue(4);
  }
}
