package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryNodeCache;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.error.NodeFailed;
import dev.superstep.node.CachePolicy;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Steps, questions and kept results of items that run at once.
@Tag("T87")
@Timeout(60)
class ParallelForkTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Question<String, String> ASK =
      Question.of("ask", String.class, String.class);
  private static final List<String> ITEMS = List.of("x", "y", "z");

  private final Counts counts = new Counts();

  /// How often what happened.
  private static final class Counts {
    private final ConcurrentHashMap<String, Integer> all = new ConcurrentHashMap<>();

    String add(String what) {
      all.merge(what, 1, Integer::sum);
      return what;
    }

    int of(String what) {
      return all.getOrDefault(what, 0);
    }
  }

  private static Graph alone(Node node, NodePolicy policy) {
    return Graph.named("alone")
        .channels(SAID)
        .questions(ASK)
        .node("a", node, policy)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  private static Graph alone(Node node) {
    return alone(node, NodePolicy.defaults());
  }

  private static String about(Interrupt question) {
    return ASK.read(question);
  }

  @Test
  void steps_of_two_items_with_one_key_are_separate_and_not_repeated_after_a_failure()
      throws Exception {
    var tries = new AtomicInteger();
    Node node =
        (_, context) -> {
          var paid =
              Parallel.over(ITEMS)
                  .map(
                      context,
                      (item, fork) ->
                          fork.step("pay", String.class, () -> counts.add("paid " + item)));
          if (tries.incrementAndGet() == 1) throw new IOException("no network");
          return Update.all(SAID, paid.succeeded());
        };
    var options = kept();
    thrown(NodeFailed.class, () -> alone(node).invoke(Input.none(), options));
    assertThat(completed(alone(node).resume(Answers.none(), options)).get(SAID))
        .containsExactly("paid x", "paid y", "paid z");
    for (var item : ITEMS) assertThat(counts.of("paid " + item)).isEqualTo(1);
  }

  @Test
  void two_parallel_calls_and_a_step_of_one_node_are_separate() throws Exception {
    Node node =
        (_, context) -> {
          var one =
              Parallel.over(ITEMS)
                  .map(context, (i, fork) -> fork.step("s", String.class, () -> "1" + i));
          var two =
              Parallel.over(ITEMS)
                  .map(context, (i, fork) -> fork.step("s", String.class, () -> "2" + i));
          var own = context.step("~f0.0", String.class, () -> "own");
          context.interrupt(ASK, "?");
          return Update.all(SAID, one.succeeded()).and(SAID, two.succeeded().getFirst() + own);
        };
    var options = kept();
    var open = asked(alone(node).invoke(Input.none(), options)).getFirst();
    assertThat(completed(alone(node).resume(Answers.of(open.id(), "!"), options)).get(SAID))
        .containsExactly("1x", "1y", "1z", "2xown");
  }

  @Test
  void three_items_ask_and_each_gets_its_own_answer_whatever_the_order() throws Exception {
    Node node =
        (_, context) -> {
          var results =
              Parallel.over(ITEMS)
                  .map(
                      context,
                      (item, fork) -> {
                        fork.step("before", () -> counts.add("before " + item));
                        var answer = fork.interrupt(ASK, item);
                        fork.step("after", () -> counts.add("after " + item));
                        return item + answer;
                      });
          return Update.all(SAID, results.succeeded());
        };
    var options = kept();
    var open = asked(alone(node).invoke(Input.none(), options));
    assertThat(open).extracting(ParallelForkTest::about).containsExactly("x", "y", "z");
    assertThat(open).extracting(Interrupt::id).doesNotHaveDuplicates();
    assertThat(open).extracting(Interrupt::point).containsExactly("~f0.0", "~f0.1", "~f0.2");
    var left = asked(alone(node).resume(Answers.of(open.get(2).id(), "3"), options));
    assertThat(left).extracting(ParallelForkTest::about).containsExactly("x", "y");
    left = asked(alone(node).resume(Answers.of(open.get(0).id(), "1"), options));
    assertThat(left).extracting(ParallelForkTest::about).containsExactly("y");
    var end = completed(alone(node).resume(Answers.of(open.get(1).id(), "2"), options));
    assertThat(end.get(SAID)).containsExactly("x1", "y2", "z3");
    for (var item : ITEMS) {
      assertThat(counts.of("before " + item)).isEqualTo(1);
      assertThat(counts.of("after " + item)).isEqualTo(1);
    }
  }

  @Test
  void an_asking_item_waits_for_the_others_even_if_it_catches_its_suspension() throws Exception {
    var graph =
        alone((_, context) -> {
          var results =
              Parallel.over(ITEMS)
                  .concurrency(1)
                  .map(
                      context,
                      (item, fork) -> {
                        if (!item.equals("x")) return counts.add(item);
                        try {
                          return fork.interrupt(ASK, item);
                        } catch (Throwable e) {
                          return "swallowed";
                        }
                      });
          return Update.all(SAID, results.succeeded());
        });
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options));
    assertThat(open).hasSize(1);
    assertThat(counts.of("z")).isEqualTo(1);
    assertThat(completed(graph.resume(Answers.of(open.getFirst().id(), "yes"), options)).get(SAID))
        .containsExactly("yes", "y", "z");
  }

  @Test
  void saved_item_results_are_not_computed_again_after_a_question_or_a_failure() throws Exception {
    var tries = new AtomicInteger();
    Node node =
        (_, context) -> {
          var results =
              Parallel.over(ITEMS)
                  .map(
                      context,
                      String.class,
                      (item, fork) -> {
                        if (item.equals("y")) return fork.interrupt(ASK, item);
                        return counts.add(item);
                      });
          if (tries.incrementAndGet() == 1) throw new IOException("no network");
          return Update.all(SAID, results.succeeded());
        };
    var options = kept();
    var open = asked(alone(node).invoke(Input.none(), options)).getFirst();
    thrown(NodeFailed.class, () -> alone(node).resume(Answers.of(open.id(), "!"), options));
    assertThat(completed(alone(node).resume(Answers.none(), options)).get(SAID))
        .containsExactly("x", "!", "z");
    assertThat(counts.of("x")).isEqualTo(1);
    assertThat(counts.of("z")).isEqualTo(1);
  }

  @Test
  void a_saved_race_runs_once() throws Exception {
    Node node =
        (_, context) -> {
          var won = Parallel.over(ITEMS).race(context, String.class, (i, _) -> counts.add(i));
          return Update.of(SAID, won + context.interrupt(ASK, won));
        };
    var options = kept();
    var open = asked(alone(node).invoke(Input.none(), options)).getFirst();
    var before = counts.all.values().stream().mapToInt(i -> i).sum();
    assertThat(completed(alone(node).resume(Answers.of(open.id(), "!"), options)).get(SAID))
        .containsExactly(about(open) + "!");
    assertThat(counts.all.values().stream().mapToInt(i -> i).sum()).isEqualTo(before);
  }

  @Test
  void a_question_of_an_item_that_loses_a_race_is_not_asked() throws Exception {
    var graph =
        alone((_, context) -> {
          var won =
              Parallel.over(ITEMS)
                  .concurrency(1)
                  .race(context, (i, fork) -> i.equals("x") ? fork.interrupt(ASK, i) : i);
          return Update.of(SAID, won);
        });
    assertThat(completed(graph.invoke(Input.none(), kept())).get(SAID)).containsExactly("y");
  }

  @Test
  void items_have_items_that_ask_and_take_steps() throws Exception {
    Node node =
        (_, context) -> {
          var results =
              Parallel.over(List.of("a", "b"))
                  .map(
                      context,
                      (outer, fork) ->
                          String.join(
                              "+",
                              Parallel.over(List.of("1", "2"))
                                  .map(
                                      fork,
                                      (inner, deep) -> {
                                        var name = outer + inner;
                                        deep.step("s", () -> counts.add(name));
                                        return deep.interrupt(ASK, name);
                                      })
                                  .succeeded()));
          return Update.all(SAID, results.succeeded());
        };
    var options = kept();
    var open = asked(alone(node).invoke(Input.none(), options));
    assertThat(open).extracting(ParallelForkTest::about).containsExactly("a1", "a2", "b1", "b2");
    assertThat(open).extracting(Interrupt::id).doesNotHaveDuplicates();
    var answers = open.stream().map(one -> ASK.answer(one, about(one) + "!")).toList();
    assertThat(completed(alone(node).resume(new Answers(answers), options)).get(SAID))
        .containsExactly("a1!+a2!", "b1!+b2!");
    for (var name : List.of("a1", "a2", "b1", "b2")) assertThat(counts.of(name)).isEqualTo(1);
  }

  @Test
  void items_run_inside_a_step_and_inside_a_subgraph() throws Exception {
    Node node =
        (_, context) -> {
          var all =
              context.step(
                  "phase",
                  String.class,
                  () ->
                      String.join(
                          "",
                          Parallel.over(ITEMS)
                              .map(context, (i, fork) -> fork.interrupt(ASK, i))
                              .succeeded()));
          return Update.of(SAID, all);
        };
    var outer =
        Graph.named("outer")
            .channels(SAID)
            .questions(ASK)
            .node(
                "inner",
                Subgraph.of(alone(node), _ -> Input.none(), s -> Update.all(SAID, s.get(SAID))))
            .edge(START, "inner")
            .edge("inner", END)
            .compile();
    var options = kept();
    var open = asked(outer.invoke(Input.none(), options));
    assertThat(open)
        .extracting(Interrupt::point)
        .containsExactly("phase/~f0.0", "phase/~f0.1", "phase/~f0.2");
    var answers = open.stream().map(one -> ASK.answer(one, about(one) + "!")).toList();
    assertThat(completed(outer.resume(new Answers(answers), options)).get(SAID))
        .containsExactly("x!y!z!");
  }

  @Test
  void an_item_given_up_takes_those_inside_it_along() throws Exception {
    var interrupted = new CountDownLatch(1);
    var graph =
        alone((_, context) -> {
          var results =
              Parallel.over(List.of(1))
                  .itemTimeout(Duration.ofMillis(500))
                  .map(
                      context,
                      (_, fork) ->
                          Parallel.over(List.of(2))
                              .map(
                                  fork,
                                  (_, _) -> {
                                    try {
                                      new CountDownLatch(1).await();
                                    } catch (InterruptedException e) {
                                      interrupted.countDown();
                                    }
                                    return "x";
                                  })
                              .succeeded());
          return Update.of(SAID, results.errors().getFirst().getClass().getSimpleName());
        });
    assertThat(completed(graph.invoke(Input.none())).get(SAID)).containsExactly("ItemTimedOut");
    interrupted.await();
  }

  @Test
  void a_node_whose_items_were_answered_is_not_cached() throws Exception {
    var policy = NodePolicy.defaults().cache(CachePolicy.by(_ -> "same"));
    var graph =
        alone(
            (_, context) -> {
              counts.add("run");
              var said =
                  Parallel.over(List.of("x")).map(context, (i, fork) -> fork.interrupt(ASK, i));
              return Update.all(SAID, said.succeeded());
            },
            policy);
    var cache = InMemoryNodeCache.holding(10);
    var options = kept().cache(cache);
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    completed(graph.resume(Answers.of(open.id(), "yes"), options));
    assertThat(asked(graph.invoke(Input.none(), kept().cache(cache)))).hasSize(1);
    assertThat(counts.of("run")).isEqualTo(3);
  }

  @Test
  void a_node_that_skips_a_saved_answer_is_not_cached_either() throws Exception {
    var policy = NodePolicy.defaults().cache(CachePolicy.by(_ -> "same"));
    var tries = new AtomicInteger();
    var graph =
        alone(
            (_, context) -> {
              var said = context.step("ask", String.class, () -> context.interrupt(ASK, "?"));
              if (tries.incrementAndGet() == 1) throw new IOException("no network");
              return Update.of(SAID, said);
            },
            policy);
    var cache = InMemoryNodeCache.holding(10);
    var options = kept().cache(cache);
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    thrown(NodeFailed.class, () -> graph.resume(Answers.of(open.id(), "yes"), options));
    completed(graph.resume(Answers.none(), options));
    assertThat(asked(graph.invoke(Input.none(), kept().cache(cache)))).hasSize(1);
  }
}
