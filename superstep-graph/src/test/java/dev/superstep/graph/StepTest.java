package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.invalid;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.UnsupportedType;
import dev.superstep.node.Node;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Side effects inside a node, which happen once however often the node runs.
class StepTest {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);

  record Receipt(String number, int cents) {}

  static Graph alone(Node node) {
    return Graph.named("alone")
        .channels(SAID)
        .questions(ASK)
        .node("a", node)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  static Graph pair(Node node) {
    return Graph.named("pair")
        .channels(SAID)
        .questions(ASK)
        .node("a", node)
        .node("b", node)
        .edge(START, "a")
        .edge(START, "b")
        .edge("a", END)
        .edge("b", END)
        .compile();
  }

  @Test
  void an_effect_before_a_question_happens_once() throws Exception {
    var paid = new AtomicInteger();
    var starts = new AtomicInteger();
    var graph =
        alone((_, context) -> {
          starts.incrementAndGet();
          var receipt =
              context.step(
                  "pay", Receipt.class, () -> new Receipt("r" + paid.incrementAndGet(), 5));
          var first = context.interrupt(ASK, receipt.number());
          context.step("mail", paid::incrementAndGet);
          return Update.of(SAID, receipt + first + context.interrupt(ASK, "more?"));
        });
    var options = kept();
    var one = asked(graph.invoke(Input.none(), options)).getFirst();
    var two = asked(graph.resume(Answers.of(one.id(), "x"), options)).getFirst();
    var end = completed(graph.resume(Answers.of(two.id(), "y"), options));
    assertThat(end.get(SAID)).containsExactly(new Receipt("r1", 5) + "xy");
    assertThat(starts).hasValue(3);
    assertThat(paid).hasValue(2);
  }

  @Test
  void a_call_is_made_once_even_if_the_node_would_then_ask_something_else() throws Exception {
    var calls = new AtomicInteger();
    var graph =
        alone((_, context) -> {
          var request = "question " + context.attempt() + calls.get();
          var said =
              context.call(
                  "model",
                  request,
                  Receipt.class,
                  () -> new Receipt(request, calls.incrementAndGet()));
          return Update.of(SAID, said.number() + context.interrupt(ASK, "go on?"));
        });
    var options = kept();
    var asked = asked(graph.invoke(Input.none(), options)).getFirst();
    var end = completed(graph.resume(Answers.of(asked.id(), "!"), options));
    assertThat(end.get(SAID)).containsExactly("question 10!");
    assertThat(calls).hasValue(1);
  }

  @Test
  void an_effect_before_a_failure_happens_once_and_one_that_throws_happens_again()
      throws Exception {
    var paid = new AtomicInteger();
    var mailed = new AtomicInteger();
    var graph =
        alone((_, context) -> {
          int number = context.step("pay", Integer.class, paid::incrementAndGet);
          context.step(
              "mail",
              () -> {
                if (mailed.incrementAndGet() < 3) throw new IOException("no network");
              });
          return Update.of(SAID, "paid " + number);
        });
    var options = kept();
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options)))
        .hasCauseInstanceOf(IOException.class);
    thrown(NodeFailed.class, () -> graph.resume(Answers.none(), options));
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID))
        .containsExactly("paid 1");
    assertThat(paid).hasValue(1);
    assertThat(mailed).hasValue(3);
  }

  @Test
  void tasks_of_one_superstep_may_use_the_same_key() throws Exception {
    var done = new AtomicInteger();
    var graph =
        pair((_, context) -> {
          context.step("once", done::incrementAndGet);
          return Update.of(SAID, context.node() + context.interrupt(ASK, context.node()));
        });
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options));
    var answers = ASK.answer(open.get(0), "0");
    graph.resume(new Answers(List.of(answers)), options);
    assertThat(completed(graph.resume(Answers.of(open.get(1).id(), "1"), options)).get(SAID))
        .containsExactly("a0", "b1");
    assertThat(done).hasValue(2);
  }

  @Test
  void a_node_that_runs_in_a_later_superstep_has_steps_of_its_own() throws Exception {
    var done = new AtomicInteger();
    var graph =
        Graph.named("loop")
            .channels(SAID)
            .node(
                "a",
                (_, context) -> {
                  int number = context.step("once", Integer.class, done::incrementAndGet);
                  return Update.of(SAID, "" + number);
                })
            .edge(START, "a")
            .route("a", state -> state.get(SAID).size() < 3 ? "a" : END, "a", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none(), kept())).get(SAID))
        .containsExactly("1", "2", "3");
  }

  @Test
  void the_first_saved_result_of_a_step_wins_over_a_later_process() throws Exception {
    var store =
        new ForwardingCheckpointer(new InMemoryCheckpointer()) {
          @Override
          public StepRecord saveStep(
              Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
            var other = new StepRecord(step.task(), step.key(), Json.string("theirs"));
            super.saveStep(lease, lineage, checkpoint, other);
            return super.saveStep(lease, lineage, checkpoint, step);
          }
        };
    var options = RunOptions.thread("t").checkpoints(store);
    var graph =
        alone((_, context) -> Update.of(SAID, context.step("pay", String.class, () -> "ours")));
    assertThat(completed(graph.invoke(Input.none(), options)).get(SAID)).containsExactly("theirs");
  }

  @Test
  void a_step_in_a_run_without_a_checkpointer_just_runs_its_effect() throws Exception {
    var graph =
        alone((_, context) -> Update.of(SAID, context.step("pay", String.class, () -> "paid")));
    assertThat(completed(graph.invoke(Input.none())).get(SAID)).containsExactly("paid");
  }

  @Test
  void a_key_that_is_used_twice_is_an_error_that_says_what_to_do() {
    var effects = new AtomicInteger();
    var graph =
        alone((_, context) -> {
          context.step("pay", effects::incrementAndGet);
          context.step("pay", effects::incrementAndGet);
          return Update.of(SAID, "done");
        });
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none(), kept())))
        .satisfies(invalid(Reason.STEP_REPEATED))
        .hasMessageContaining("`pay-2`");
    assertThat(effects).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void a_step_needs_a_key(String key) {
    var graph = alone((_, context) -> Update.of(SAID, context.step(key, String.class, () -> "x")));
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none(), kept())))
        .hasMessageContaining("1 to 200 characters");
  }

  @Test
  void a_result_that_cannot_be_stored_is_refused_before_the_effect_runs() {
    var effects = new AtomicInteger();
    var graph =
        alone((_, context) -> {
          context.step("pay", Object.class, effects::incrementAndGet);
          return Update.of(SAID, "done");
        });
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none(), kept())))
        .hasCauseInstanceOf(UnsupportedType.class);
    assertThat(effects).hasValue(0);
  }

  @Test
  void a_node_that_swallows_its_suspension_does_not_act() throws Exception {
    var effects = new AtomicInteger();
    var graph =
        alone((_, context) -> {
          try {
            context.interrupt(ASK, "?");
          } catch (Throwable e) {
            context.step("after", effects::incrementAndGet);
          }
          return Update.of(SAID, "done");
        });
    asked(graph.invoke(Input.none(), kept()));
    assertThat(effects).hasValue(0);
  }

  @Test
  void a_saved_result_of_another_type_fails_the_node_and_does_not_run_the_effect()
      throws Exception {
    var options = kept();
    var before =
        alone((_, context) -> {
          context.step("pay", String.class, () -> "paid");
          return Update.of(SAID, context.interrupt(ASK, "?"));
        });
    var open = asked(before.invoke(Input.none(), options)).getFirst();
    var effects = new AtomicInteger();
    var after =
        alone((_, context) -> {
          context.step("pay", Integer.class, effects::incrementAndGet);
          return Update.of(SAID, context.interrupt(ASK, "?"));
        });
    assertThat(thrown(NodeFailed.class, () -> after.resume(Answers.of(open.id(), "x"), options)))
        .hasCauseInstanceOf(MalformedJson.class);
    assertThat(effects).hasValue(0);
  }

  /// Fails to keep the result of a step, once.
  private static ForwardingCheckpointer failingOnce() {
    var left = new AtomicInteger(1);
    return new ForwardingCheckpointer(new InMemoryCheckpointer()) {
      @Override
      public StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
        if (left.getAndDecrement() > 0) {
          throw new StoreFailed("here", "it is locked", new IllegalStateException("locked"));
        }
        return super.saveStep(lease, lineage, checkpoint, step);
      }
    };
  }

  @Test
  void no_policy_and_no_catch_of_a_node_passes_over_a_result_that_could_not_be_saved()
      throws Exception {
    var policies =
        List.of(
            NodePolicy.defaults(),
            NodePolicy.defaults().onFailure(OnFailure.skip()),
            NodePolicy.defaults().timeout(Duration.ofMinutes(5)).onFailure(OnFailure.skip()),
            NodePolicy.defaults().retry(Retry.of(3).when(_ -> true)));
    for (var policy : policies) {
      var paid = new AtomicInteger();
      Node pay =
          (_, context) -> {
            try {
              return Update.of(
                  SAID, "paid " + context.step("pay", Integer.class, paid::incrementAndGet));
            } catch (StoreFailed e) {
              if (policy.settings().isPlain()) {
                return Update.of(SAID, "swallowed");
              }
              throw e;
            }
          };
      var graph =
          Graph.named("g")
              .channels(SAID)
              .node("a", pay, policy)
              .edge(START, "a")
              .edge("a", END)
              .compile();
      var options = RunOptions.thread("t").checkpoints(failingOnce()).sleeper(_ -> {});
      thrown(StoreFailed.class, () -> graph.invoke(Input.none(), options));
      assertThat(paid).hasValue(1);
      assertThat(completed(graph.resume(Answers.none(), options)).get(SAID))
          .containsExactly("paid 2");
    }
  }

  @Test
  void a_failed_save_in_a_subgraph_is_not_a_failure_of_its_node() throws Exception {
    var inside = alone((_, context) -> Update.of(SAID, context.step("a", String.class, () -> "x")));
    var graph =
        Graph.named("g")
            .channels(SAID)
            .node(
                "inside",
                Subgraph.of(
                    inside, (State _) -> Input.none(), end -> Update.all(SAID, end.get(SAID))),
                NodePolicy.defaults().onFailure(OnFailure.skip()))
            .edge(START, "inside")
            .edge("inside", END)
            .compile();
    var options = RunOptions.thread("t").checkpoints(failingOnce());
    thrown(StoreFailed.class, () -> graph.invoke(Input.none(), options));
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID)).containsExactly("x");
  }
}
