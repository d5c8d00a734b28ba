package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.error.AnswerRejected;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Approvals count for exactly what was asked, where it was asked, once and for a time.
class ApprovalTest {
  record Payment(int amount) {}

  private static final Channel<Integer, Integer> AMOUNT = Channel.latest("amount", Integer.class);
  private static final Question<Payment, Approval> PAY =
      Question.of("pay", Payment.class, Approval.class);
  private static final Question<Payment, Integer> NUMBER =
      Question.of("number", Payment.class, Integer.class);

  private final List<Integer> paid = Collections.synchronizedList(new ArrayList<>());
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final RunOptions options = RunOptions.thread("t").checkpoints(store).clock(() -> now);

  private Graph inner() {
    return Graph.named("pays")
        .channels(AMOUNT)
        .questions(PAY)
        .node(
            "pay",
            (state, context) -> {
              int amount = state.get(AMOUNT);
              if (context.interrupt(PAY, new Payment(amount)).approved()) paid.add(amount);
              return Update.of(AMOUNT, 0);
            })
        .edge(START, "pay")
        .edge("pay", END)
        .compile();
  }

  private Graph nested() {
    return Graph.named("outer")
        .channels(AMOUNT)
        .node(
            "inside",
            Subgraph.of(
                inner(),
                (State state) -> Input.of(AMOUNT, state.get(AMOUNT)),
                end -> Update.of(AMOUNT, end.get(AMOUNT))))
        .edge(START, "inside")
        .edge("inside", END)
        .compile();
  }

  private static Interrupt asked(Outcome outcome) {
    return ((Outcome.Interrupted) outcome).questions().getFirst();
  }

  private static Answers yes(Interrupt question) {
    return Answers.none().and(PAY.answer(question, Approval.yes()));
  }

  /// The answer is saved, and the process dies before it is used.
  private void approveAndDie(Graph graph, Interrupt question, RunOptions on)
      throws InterruptedException {
    assertThat(graph.resume(yes(question), on.taskLimit(0))).isInstanceOf(Outcome.Stopped.class);
    assertThat(paid).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void an_approval_that_nothing_came_between_counts(Durability durability)
      throws InterruptedException {
    var on = options.durability(durability);
    for (var graph : List.of(inner(), nested())) {
      paid.clear();
      var at = on.on(graph.name(), store);
      var question = asked(graph.invoke(Input.of(AMOUNT, 5), at));
      approveAndDie(graph, question, at);
      assertThat(graph.resume(Answers.none(), at)).isInstanceOf(Outcome.Completed.class);
      assertThat(paid).containsExactly(5);
    }
  }

  @Test
  void an_approval_of_one_amount_does_not_count_for_another() throws InterruptedException {
    var graph = inner();
    var question = asked(graph.invoke(Input.of(AMOUNT, 5), options));
    approveAndDie(graph, question, options);
    graph.update(options, StateUpdate.as("pay", Update.of(AMOUNT, 500)));
    assertThat(paid).isEmpty();
    var other = asked(graph.invoke(Input.of(AMOUNT, 500), options));
    assertThat(PAY.read(other)).isEqualTo(new Payment(500));
    assertThatThrownBy(() -> graph.resume(yes(question), options))
        .isInstanceOf(AnswerRejected.class)
        .hasMessageContaining(other.id());
    assertThat(paid).isEmpty();
  }

  @Test
  void a_state_that_was_changed_below_a_question_makes_it_a_new_one() throws InterruptedException {
    var graph =
        Graph.named("two")
            .channels(AMOUNT)
            .questions(PAY)
            .node("set", (_, _) -> Update.of(AMOUNT, 5))
            .node(
                "pay",
                (state, context) -> {
                  int amount = state.get(AMOUNT);
                  if (context.interrupt(PAY, new Payment(amount)).approved()) paid.add(amount);
                  return Update.of(AMOUNT, 0);
                })
            .node("other", (_, _) -> Update.of(AMOUNT, 7))
            .edge(START, "set")
            .route("set", _ -> "pay", "pay", "other")
            .edge("pay", END)
            .edge("other", END)
            .compile();
    var question = asked(graph.invoke(Input.none(), options));
    approveAndDie(graph, question, options);
    graph.update(options, StateUpdate.as("other", Update.of(AMOUNT, 700)));
    var again = asked(graph.resume(Answers.none(), options));
    assertThat(PAY.read(again)).isEqualTo(new Payment(700));
    assertThat(again.id()).isNotEqualTo(question.id());
    assertThat(paid).isEmpty();
    assertThat(graph.resume(yes(again), options)).isInstanceOf(Outcome.Completed.class);
    assertThat(paid).containsExactly(700);
  }

  @Test
  void an_approval_is_not_copied_with_its_thread() throws InterruptedException {
    for (var graph : List.of(inner(), nested())) {
      paid.clear();
      var original = graph.name();
      var at = options.on(original, store);
      approveAndDie(graph, asked(graph.invoke(Input.of(AMOUNT, 5), at)), at);
      Threads.in(store).copy(original, original + "-copy");
      var copy = options.on(original + "-copy", store);
      var again = asked(graph.resume(Answers.none(), copy));
      assertThat(paid).isEmpty();
      graph.resume(Answers.none(), at);
      assertThat(paid).containsExactly(5);
      graph.resume(yes(again), copy);
      assertThat(paid).containsExactly(5, 5);
    }
  }

  @Test
  void an_open_question_can_be_answered_in_a_copy() throws InterruptedException {
    var graph = inner();
    var question = asked(graph.invoke(Input.of(AMOUNT, 5), options));
    Threads.in(store).copy("t", "copy");
    var done = graph.resume(yes(question), options.on("copy", store));
    assertThat(done).isInstanceOf(Outcome.Completed.class);
    assertThat(paid).containsExactly(5);
  }

  @Test
  void an_approval_is_used_within_its_time_or_asked_for_again() throws InterruptedException {
    var graph = inner();
    var brief = options.approvalTime(Duration.ofHours(1));
    var question = asked(graph.invoke(Input.of(AMOUNT, 5), brief));
    now = now.plus(Duration.ofDays(30));
    approveAndDie(graph, question, brief);
    now = now.plus(Duration.ofHours(1));
    var again = asked(graph.resume(Answers.none(), brief));
    assertThat(paid).isEmpty();
    assertThatThrownBy(() -> graph.resume(yes(question), brief)).isInstanceOf(AnswerRejected.class);
    approveAndDie(graph, again, brief);
    now = now.plus(Duration.ofMinutes(59));
    graph.resume(Answers.none(), brief);
    assertThat(paid).containsExactly(5);
    // It saw two approvals, of which one had lapsed.
    paid.clear();
    now = now.plus(Duration.ofDays(30));
    assertThat(Replay.of(graph, store).thread("t").run().isEqual()).isTrue();
  }

  @Test
  void an_approval_counts_for_a_day_unless_set() throws InterruptedException {
    var graph = inner();
    approveAndDie(graph, asked(graph.invoke(Input.of(AMOUNT, 5), options)), options);
    now = now.plus(Duration.ofHours(24));
    var again = asked(graph.resume(Answers.none(), options));
    assertThat(paid).isEmpty();
    approveAndDie(graph, again, options);
    now = now.plus(Duration.ofHours(24).minusSeconds(1));
    graph.resume(Answers.none(), options);
    assertThat(paid).containsExactly(5);
    assertThatThrownBy(() -> options.approvalTime(Duration.ZERO))
        .hasMessageContaining("approvalTime must be positive");
  }

  @Test
  void an_approval_does_not_come_back_after_a_rewind_or_in_a_fork() throws InterruptedException {
    var graph = inner();
    var question = asked(graph.invoke(Input.of(AMOUNT, 5), options));
    var before = graph.state(options).orElseThrow().checkpoint();
    approveAndDie(graph, question, options);
    var threads = Threads.in(store);
    threads.fork("t", before, "fork");
    threads.rewind("t", before);
    for (var thread : List.of("t", "fork")) {
      var at = options.on(thread, store);
      var again = asked(graph.resume(Answers.none(), at));
      assertThat(again.id()).isNotEqualTo(question.id());
      assertThatThrownBy(() -> graph.resume(yes(question), at)).isInstanceOf(AnswerRejected.class);
    }
    assertThat(paid).isEmpty();
  }

  @Test
  void an_answer_that_approves_nothing_counts_whatever_is_asked_by_then()
      throws InterruptedException {
    var seen = new ArrayList<Integer>();
    var graph =
        Graph.named("asks")
            .channels(AMOUNT)
            .questions(NUMBER, NUMBER_APPROVED)
            .node(
                "ask",
                (_, context) -> {
                  int asked = seen.size();
                  seen.add(context.interrupt(NUMBER, new Payment(asked)));
                  return Update.of(AMOUNT, 1);
                })
            .edge(START, "ask")
            .edge("ask", END)
            .compile();
    var question = asked(graph.invoke(Input.none(), options));
    seen.add(0);
    graph.resume(Answers.none().and(NUMBER.answer(question, 3)), options);
    assertThat(seen).containsExactly(0, 3);
    assertThat(NUMBER.isApproval()).isFalse();
    assertThat(NUMBER_APPROVED.isApproval()).isTrue();
    assertThat(NUMBER_APPROVED.checkedBy(_ -> Optional.empty()).isApproval()).isTrue();
  }

  private static final Question<Payment, Integer> NUMBER_APPROVED =
      Question.of("limit", Payment.class, Integer.class).asApproval();

  @Test
  void of_two_open_questions_an_answer_must_say_which_it_is_for() throws InterruptedException {
    var graph =
        Graph.named("two-asked")
            .channels(AMOUNT)
            .questions(PAY)
            .node("a", (_, context) -> approved(context.interrupt(PAY, new Payment(1)), 1))
            .node("b", (_, context) -> approved(context.interrupt(PAY, new Payment(2)), 2))
            .edge(START, "a")
            .edge(START, "b")
            .edge("a", END)
            .edge("b", END)
            .compile();
    var open = ((Outcome.Interrupted) graph.invoke(Input.none(), options)).questions();
    assertThatThrownBy(() -> graph.resume(Answers.to(PAY, Approval.yes()), options))
        .isInstanceOf(AnswerRejected.class)
        .hasMessageContaining("use one of their ids")
        .hasMessageContaining(open.getFirst().id())
        .hasMessageContaining(open.getLast().id());
    assertThat(paid).isEmpty();
    graph.resume(yes(open.getLast()), options);
    assertThat(paid).containsExactly(2);
  }

  private NodeResult approved(Approval approval, int amount) {
    if (approval.approved()) paid.add(amount);
    return NodeResult.nothing();
  }
}
