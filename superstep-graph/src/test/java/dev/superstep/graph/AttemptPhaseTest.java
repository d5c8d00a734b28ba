package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.invalid;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Steps that ask and hold further steps: the phases of a node.
@Tag("E18")
@Timeout(60)
class AttemptPhaseTest {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);

  static Graph alone(Node node, NodePolicy policy) {
    return Graph.named("alone")
        .channels(SAID)
        .questions(ASK)
        .node("a", node, policy)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  static Graph alone(Node node) {
    return alone(node, NodePolicy.defaults());
  }

  @Test
  void each_of_two_phases_gets_the_answer_to_its_own_question() throws Exception {
    var sent = new AtomicInteger();
    Node node =
        (_, context) -> {
          var first =
              context.step(
                  "draft",
                  String.class,
                  () -> {
                    context.step("send", sent::incrementAndGet);
                    return context.interrupt(ASK, "draft?");
                  });
          var second =
              context.step(
                  "publish",
                  String.class,
                  () -> {
                    context.step("send", sent::incrementAndGet);
                    return context.interrupt(ASK, "publish?");
                  });
          return Update.of(SAID, first + second + context.interrupt(ASK, "done?"));
        };
    var options = kept();
    var one = asked(alone(node).invoke(Input.none(), options)).getFirst();
    assertThat(one.point()).isEqualTo("draft");
    assertThat(sent).hasValue(1);
    var two = asked(alone(node).resume(Answers.of(one.id(), "1"), options)).getFirst();
    assertThat(ASK.read(two)).isEqualTo("publish?");
    assertThat(two.point()).isEqualTo("publish");
    assertThat(two.id()).isNotEqualTo(one.id());
    assertThat(sent).hasValue(2);
    var three = asked(alone(node).resume(Answers.of(two.id(), "2"), options)).getFirst();
    assertThat(ASK.read(three)).isEqualTo("done?");
    assertThat(three.point()).isEmpty();
    assertThat(three.index()).isZero();
    assertThat(completed(alone(node).resume(Answers.of(three.id(), "3"), options)).get(SAID))
        .containsExactly("123");
    assertThat(sent).hasValue(2);
  }

  @Test
  @Tag("A10")
  void questions_of_nested_phases_are_distinguished_by_their_path() throws Exception {
    var graph =
        alone((_, context) -> {
          var said = new ArrayList<String>();
          for (var outer : List.of("a", "b/c")) {
            said.add(
                context.step(
                    outer,
                    String.class,
                    () -> {
                      var inner =
                          context.step("c", String.class, () -> context.interrupt(ASK, outer));
                      return inner + context.interrupt(ASK, outer + " again");
                    }));
          }
          return Update.all(SAID, said);
        });
    var options = kept();
    var points = new ArrayList<String>();
    var outcome = graph.invoke(Input.none(), options);
    for (int i = 0; i < 4; i++) {
      var open = asked(outcome).getFirst();
      points.add(open.point());
      outcome = graph.resume(Answers.of(open.id(), "" + i), options);
    }
    assertThat(points).containsExactly("a/c", "a", "b~1c/c", "b~1c");
    assertThat(completed(outcome).get(SAID)).containsExactly("01", "23");
  }

  @Test
  void a_key_serves_once_in_its_phase_and_again_in_another() throws Exception {
    var graph =
        alone((_, context) -> {
          context.step("x", () -> context.step("y", () -> {}));
          context.step("y", () -> {});
          context.step(
              "z",
              () -> {
                context.step("y", () -> {});
                context.step("y", () -> {});
              });
          return NodeResult.nothing();
        });
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none(), kept())))
        .satisfies(invalid(Reason.STEP_REPEATED));
  }

  @Test
  void a_phase_that_swallows_its_suspension_is_not_saved_as_finished() throws Exception {
    var graph =
        alone((_, context) ->
            Update.of(
                SAID,
                context.step(
                    "phase",
                    String.class,
                    () -> {
                      try {
                        return context.interrupt(ASK, "?");
                      } catch (Throwable e) {
                        return "swallowed";
                      }
                    })));
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(completed(graph.resume(Answers.of(open.id(), "yes"), options)).get(SAID))
        .containsExactly("yes");
  }

  @Test
  @Tag("E19")
  void a_phase_is_tried_again_by_itself_and_its_questions_keep_their_answers() throws Exception {
    var starts = new AtomicInteger();
    var tries = new AtomicInteger();
    var events = new CopyOnWriteArrayList<Event>();
    Node node =
        (_, context) -> {
          starts.incrementAndGet();
          var said =
              context.step(
                  "publish",
                  String.class,
                  Retry.of(3),
                  () -> {
                    var answer = context.interrupt(ASK, "?");
                    context.step("inner", () -> {});
                    if (tries.incrementAndGet() < 3) throw new IOException("no network");
                    return answer;
                  });
          return Update.of(SAID, said);
        };
    var options = kept().sleeper(_ -> {}).listener(events::add);
    var open = asked(alone(node).invoke(Input.none(), options)).getFirst();
    assertThat(completed(alone(node).resume(Answers.of(open.id(), "yes"), options)).get(SAID))
        .containsExactly("yes");
    assertThat(starts).hasValue(2);
    assertThat(tries).hasValue(3);
    var retried =
        events.stream()
            .filter(Event.NodeRetried.class::isInstance)
            .map(Event.NodeRetried.class::cast)
            .toList();
    assertThat(retried).extracting(Event.NodeRetried::point).containsOnly("publish");
    assertThat(retried).extracting(Event.NodeRetried::attempt).containsExactly(2, 3);
  }

  @Test
  @Tag("E19")
  void the_last_failure_of_a_phase_is_that_of_its_node() {
    var tries = new AtomicInteger();
    var graph =
        alone((_, context) -> {
          context.step(
              "mail",
              String.class,
              Retry.of(3),
              () -> {
                throw new IOException("no " + tries.incrementAndGet());
              });
          return NodeResult.nothing();
        });
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none(), kept().sleeper(_ -> {}))))
        .hasRootCauseMessage("no 3");
    assertThat(tries).hasValue(3);
  }

  @Test
  @Tag("E19")
  void phases_draw_on_the_retry_budget_of_the_run() {
    var tries = new AtomicInteger();
    var graph =
        alone((_, context) -> {
          context.step(
              "mail",
              String.class,
              Retry.of(10),
              () -> {
                tries.incrementAndGet();
                throw new IOException("no");
              });
          return NodeResult.nothing();
        });
    var options = kept().sleeper(_ -> {}).retryBudget(2);
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    assertThat(tries).hasValue(3);
  }

  @Test
  @Tag("E19")
  void failures_that_are_not_worth_a_retry_get_none() {
    var tries = new AtomicInteger();
    var graph =
        alone((_, context) -> {
          context.step(
              "mail",
              String.class,
              Retry.of(10),
              () -> {
                tries.incrementAndGet();
                throw new IllegalArgumentException("never");
              });
          return NodeResult.nothing();
        });
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), kept().sleeper(_ -> {})));
    assertThat(tries).hasValue(1);
  }

  @Test
  @Tag("T85")
  void an_abandoned_attempt_can_neither_run_effects_nor_ask() throws Exception {
    var gate = new CountDownLatch(1);
    var in = new CountDownLatch(1);
    var late = new AtomicReference<Thread>();
    var ends = new CopyOnWriteArrayList<String>();
    var effects = new AtomicInteger();
    Node node =
        (_, context) -> {
          late.set(Thread.currentThread());
          in.countDown();
          var paid =
              ended(
                  ends,
                  () -> {
                    context.step(
                        "pay",
                        String.class,
                        () -> {
                          stubborn(gate);
                          return "first";
                        });
                  });
          ended(ends, () -> context.step("more", effects::incrementAndGet));
          ended(ends, () -> context.interrupt(ASK, "late?"));
          return Update.of(SAID, paid);
        };
    var policy =
        NodePolicy.defaults()
            .timeout(Duration.ofMillis(30))
            .onFailure(OnFailure.fallback(Update.of(SAID, "given up")));
    var options = kept();
    var graph = alone(node, policy);
    assertThat(completed(graph.invoke(Input.none(), options)).get(SAID))
        .containsExactly("given up");
    in.await();
    gate.countDown();
    late.get().join();
    assertThat(ends).containsExactly("AttemptAbandoned", "AttemptAbandoned", "AttemptAbandoned");
    assertThat(effects).hasValue(0);
    var state = graph.state(options).orElseThrow();
    assertThat(state.state().get(SAID)).containsExactly("given up");
    assertThat(state.questions()).isEmpty();
  }

  private static String ended(List<String> ends, NodeContext.Action effect) {
    try {
      effect.run();
      ends.add("returned");
    } catch (Throwable e) {
      ends.add(e.getClass().getSimpleName());
    }
    return ends.getLast();
  }

  private static void stubborn(CountDownLatch gate) {
    while (gate.getCount() > 0) {
      try {
        gate.await();
      } catch (InterruptedException _) {
        // On purpose.
      }
    }
  }
}
