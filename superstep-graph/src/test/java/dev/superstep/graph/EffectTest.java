package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.error.EffectRefused;
import dev.superstep.error.NodeFailed;
import dev.superstep.node.Effect;
import dev.superstep.node.EffectConflict;
import dev.superstep.node.EffectConflict.Decision;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What steps did outside does not happen again unnoticed after a rewind, an edit or in a fork.
class EffectTest {
  record Payment(String to, int amount) {}

  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  /// The ways in which a graph comes to its payment.
  enum Shape {
    PLAIN,
    NESTED,
    TWICE_NESTED,
    REMEMBERED,
    SENT
  }

  private final List<Payment> paid = Collections.synchronizedList(new ArrayList<>());
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t").checkpoints(store);
  private Payment wanted = new Payment("Ann", 5);
  private boolean isUndoable;

  private String pay(NodeContext context, Payment payment) throws Exception {
    var effect =
        isUndoable
            ? Effect.reversible(payment, (request, _) -> paid.remove(request.as(Payment.class)))
            : Effect.irreversible(payment);
    return context.step(
        "bank",
        effect,
        String.class,
        () -> {
          paid.add(payment);
          return "paid " + payment.amount() + " to " + payment.to();
        });
  }

  private Graph graph(Shape shape) {
    return switch (shape) {
      case PLAIN -> plain("plain");
      case NESTED -> around(plain("inner"), false);
      case TWICE_NESTED -> around(around(plain("inner"), false), false);
      case REMEMBERED -> around(plain("inner"), true);
      case SENT -> sent();
    };
  }

  private Graph plain(String name) {
    return Graph.named(name)
        .channels(LOG)
        .node("plan", (_, _) -> Update.of(LOG, "planned"))
        .node("pay", (_, context) -> Update.of(LOG, pay(context, wanted)))
        .node("tell", (_, _) -> Update.of(LOG, "told"))
        .edge(START, "plan")
        .edge("plan", "pay")
        .edge("pay", "tell")
        .edge("tell", END)
        .compile();
  }

  private Graph around(Graph inner, boolean remembers) {
    var inside =
        Subgraph.of(
            inner, (State _) -> Input.none(), end -> Update.of(LOG, end.get(LOG).getLast()));
    return Graph.named("around-" + inner.name())
        .channels(LOG)
        .node("begin", (_, _) -> NodeResult.nothing())
        .node("inside", remembers ? inside.remembering() : inside)
        .edge(START, "begin")
        .edge("begin", "inside")
        .edge("inside", END)
        .compile();
  }

  private Graph sent() {
    var target = Target.of("each", Payment.class);
    return Graph.named("sends")
        .channels(LOG)
        .node("plan", (_, _) -> Update.of(LOG, "planned"))
        .node(target, (payment, _, context) -> Update.of(LOG, pay(context, payment)))
        .node("tell", (_, _) -> Update.of(LOG, "told"))
        .edge(START, "plan")
        .fanOut("plan", _ -> List.of(Send.to(target, wanted)), target)
        .edge(target.name(), "tell")
        .edge("tell", END)
        .compile();
  }

  /// The first checkpoint of a thread: before anything was done.
  private String first(String thread) {
    return Threads.in(store).history(thread, Optional.empty(), 100).getLast().id();
  }

  private static Interrupt asked(Outcome outcome) {
    return ((Outcome.Interrupted) outcome).questions().getFirst();
  }

  private Outcome decide(Graph graph, Interrupt question, Decision decision, RunOptions at)
      throws InterruptedException {
    Answer answer = EffectConflict.QUESTION.answer(question, decision);
    return graph.resume(Answers.none().and(answer), at);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void an_equal_effect_after_a_rewind_is_answered_from_the_record(Shape shape)
      throws InterruptedException {
    for (var durability : Durability.values()) {
      paid.clear();
      var graph = graph(shape);
      var at = options.on("t-" + durability, store).durability(durability);
      graph.invoke(Input.none(), at.durability(Durability.SYNC).taskLimit(0));
      graph.resume(Answers.none(), at);
      assertThat(paid).containsExactly(wanted);
      for (int i = 0; i < 3; i++) {
        Threads.in(store).rewind("t-" + durability, first("t-" + durability));
        var outcome = graph.resume(Answers.none(), at);
        assertThat(outcome).isInstanceOf(Outcome.Completed.class);
        assertThat(((Outcome.Completed) outcome).state().get(LOG).toString())
            .contains(shape == Shape.PLAIN || shape == Shape.SENT ? "paid 5 to Ann" : "told");
      }
      assertThat(paid).as("%s", durability).containsExactly(wanted);
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void a_different_effect_after_a_rewind_is_a_question(Shape shape) throws InterruptedException {
    for (var durability : Durability.values()) {
      paid.clear();
      wanted = new Payment("Ann", 5);
      var graph = graph(shape);
      var thread = "t-" + durability;
      var at = options.on(thread, store).durability(durability);
      graph.invoke(Input.none(), at.durability(Durability.SYNC).taskLimit(0));
      graph.resume(Answers.none(), at);
      wanted = new Payment("Anne", 5);
      Threads.in(store).rewind(thread, first(thread));
      var question = asked(graph.resume(Answers.none(), at));
      assertThat(paid).containsExactly(new Payment("Ann", 5));
      var conflict = EffectConflict.QUESTION.read(question);
      assertThat(conflict.effect()).endsWith("/bank");
      assertThat(conflict.request().as(Payment.class)).isEqualTo(wanted);
      assertThat(conflict.recorded()).hasSize(1);
      assertThat(conflict.recorded().getFirst().result().as(String.class))
          .isEqualTo("paid 5 to Ann");
      var use = new Decision.UseRecorded(conflict.recorded().getFirst().id());
      assertThat(decide(graph, question, use, at)).isInstanceOf(Outcome.Completed.class);
      assertThat(paid).as("%s", durability).containsExactly(new Payment("Ann", 5));
    }
  }

  /// A thread that was rewound after a payment to Ann and now wants another one.
  private Interrupt rewoundAndAsked(Graph graph) throws InterruptedException {
    graph.invoke(Input.none(), options);
    wanted = new Payment("Bob", 7);
    Threads.in(store).rewind("t", first("t"));
    return asked(graph.resume(Answers.none(), options));
  }

  @Test
  void a_person_may_let_another_effect_happen() throws InterruptedException {
    var graph = graph(Shape.PLAIN);
    var question = rewoundAndAsked(graph);
    decide(graph, question, new Decision.Perform(), options);
    assertThat(paid).containsExactly(new Payment("Ann", 5), new Payment("Bob", 7));
    // Both are known to the next rewind.
    Threads.in(store).rewind("t", first("t"));
    graph.resume(Answers.none(), options);
    wanted = new Payment("Ann", 5);
    Threads.in(store).rewind("t", first("t"));
    graph.resume(Answers.none(), options);
    assertThat(paid).hasSize(2);
  }

  @Test
  void a_person_may_refuse_another_effect() throws InterruptedException {
    var graph = graph(Shape.PLAIN);
    var question = rewoundAndAsked(graph);
    var refuse = new Decision.Refuse(Optional.of("Ann was meant."));
    assertThatThrownBy(() -> decide(graph, question, refuse, options))
        .isInstanceOf(NodeFailed.class)
        .hasRootCauseInstanceOf(EffectRefused.class)
        .hasStackTraceContaining("Effect `pay/bank` was refused by a person: Ann was meant.");
    assertThat(paid).containsExactly(new Payment("Ann", 5));
  }

  @Test
  void an_unknown_recorded_effect_is_asked_for_again() throws InterruptedException {
    var graph = graph(Shape.PLAIN);
    var question = rewoundAndAsked(graph);
    var again = asked(decide(graph, question, new Decision.UseRecorded("none"), options));
    assertThat(again.id()).isNotEqualTo(question.id());
    assertThat(paid).containsExactly(new Payment("Ann", 5));
  }

  @Test
  void a_reversible_effect_is_undone_before_another_one_takes_its_place()
      throws InterruptedException {
    isUndoable = true;
    var graph = graph(Shape.PLAIN);
    graph.invoke(Input.none(), options);
    wanted = new Payment("Bob", 7);
    Threads.in(store).rewind("t", first("t"));
    graph.resume(Answers.none(), options);
    assertThat(paid).containsExactly(wanted);
    // What was undone is no effect any more.
    wanted = new Payment("Ann", 5);
    Threads.in(store).rewind("t", first("t"));
    graph.resume(Answers.none(), options);
    assertThat(paid).containsExactly(wanted);
  }

  @Test
  void a_fork_knows_what_its_source_did() throws InterruptedException {
    var graph = graph(Shape.PLAIN);
    graph.invoke(Input.none(), options);
    var threads = Threads.in(store);
    threads.fork("t", first("t"), "fork");
    threads.fork("fork", first("fork"), "fork-of-fork");
    for (var thread : List.of("fork", "fork-of-fork")) {
      assertThat(graph.resume(Answers.none(), options.on(thread, store)))
          .isInstanceOf(Outcome.Completed.class);
    }
    assertThat(paid).containsExactly(wanted);
  }

  @Test
  void a_caller_may_let_everything_happen_again() throws InterruptedException {
    var graph = graph(Shape.PLAIN);
    graph.invoke(Input.none(), options);
    var threads = Threads.in(store).repeatingEffects();
    threads.rewind("t", first("t"));
    graph.resume(Answers.none(), options);
    threads.fork("t", first("t"), "fork");
    graph.resume(Answers.none(), options.on("fork", store));
    assertThat(paid).containsExactly(wanted, wanted, wanted);
  }

  @Test
  void a_rewind_that_is_undone_has_its_own_effects_back() throws InterruptedException {
    var graph = graph(Shape.PLAIN);
    graph.invoke(Input.none(), options);
    var threads = Threads.in(store);
    var end = threads.history("t", Optional.empty(), 1).getFirst().id();
    threads.rewind("t", first("t"));
    threads.rewind("t", end);
    // The payment to Ann is part of this history, so one more is a further payment.
    graph.invoke(Input.none(), options);
    assertThat(paid).containsExactly(wanted, wanted);
  }

  @Test
  void each_recorded_effect_answers_one_call() throws InterruptedException {
    var graph = graph(Shape.PLAIN);
    graph.invoke(Input.none(), options);
    Threads.in(store).rewind("t", first("t"));
    graph.resume(Answers.none(), options);
    graph.invoke(Input.none(), options);
    assertThat(paid).containsExactly(wanted, wanted);
  }

  @Test
  void an_edit_that_drops_a_task_does_not_hide_what_it_did() throws InterruptedException {
    var asks =
        Graph.named("asks")
            .channels(LOG)
            .questions(InterruptTest.ASK)
            .node(
                "pay",
                (_, context) -> {
                  var done = pay(context, wanted);
                  return Update.of(LOG, done + context.interrupt(InterruptTest.ASK, "Well?"));
                })
            .node("again", (_, _) -> NodeResult.nothing())
            .edge(START, "again")
            .edge("again", "pay")
            .edge("pay", END)
            .compile();
    asks.invoke(Input.none(), options);
    asks.update(options, StateUpdate.as("pay", NodeResult.nothing()));
    asks.update(options, StateUpdate.as("again", NodeResult.nothing()));
    asked(asks.resume(Answers.none(), options));
    assertThat(paid).containsExactly(wanted);
    wanted = new Payment("Bob", 7);
    asks.update(options, StateUpdate.as("pay", NodeResult.nothing()));
    asks.update(options, StateUpdate.as("again", NodeResult.nothing()));
    var question = asked(asks.resume(Answers.none(), options));
    assertThat(question.question()).isEqualTo("effect-conflict");
    assertThat(paid).hasSize(1);
  }

  @Test
  void effects_that_may_happen_twice_do() throws InterruptedException {
    for (var effect : List.of(Effect.none(), Effect.idempotent())) {
      paid.clear();
      var graph =
          Graph.named("again")
              .channels(LOG)
              .node(
                  "pay",
                  (_, context) ->
                      Update.of(
                          LOG,
                          context.step("a", effect, String.class, () -> "" + paid.add(wanted))))
              .edge(START, "pay")
              .edge("pay", END)
              .compile();
      var at = options.on(effect.toString(), store);
      graph.invoke(Input.none(), at);
      Threads.in(store).rewind(effect.toString(), first(effect.toString()));
      graph.resume(Answers.none(), at);
      assertThat(paid).hasSize(2);
    }
  }

  @Test
  void a_replay_neither_asks_nor_acts() throws InterruptedException {
    var graph = graph(Shape.PLAIN);
    decide(graph, rewoundAndAsked(graph), new Decision.Perform(), options);
    assertThat(Replay.of(graph, store).thread("t").run().divergence()).isEmpty();
    assertThat(paid).hasSize(2);
  }
}
