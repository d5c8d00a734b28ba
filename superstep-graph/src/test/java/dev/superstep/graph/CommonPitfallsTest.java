package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.ConcurrentWrites;
import dev.superstep.error.StepLimitReached;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What other runtimes of graphs were seen to get wrong when they were measured.
@Timeout(60)
final class CommonPitfallsTest {
  private static final Channel<Long, Long> SUM = Channel.sum("sum");
  private static final Channel<String, String> WORD = Channel.latest("word", String.class);
  private static final Channel<Long, Long> COUNT = Channel.latest("count", Long.class);
  private static final Channel<List<String>, String> ITEMS = Channel.append("items", String.class);
  private static final Question<String, String> ASK =
      Question.of("ask", String.class, String.class);

  /// Two nodes side by side.
  private static Graph pair(Node left, Node right) {
    return Graph.named("pair")
        .channels(SUM, WORD, ITEMS)
        .node("left", left)
        .node("right", right)
        .edge(START, "left")
        .edge(START, "right")
        .edge("left", END)
        .edge("right", END)
        .compile();
  }

  @Test
  void two_parallel_branches_that_add_to_a_sum_add_once_each() throws Exception {
    Node one = (_, _) -> Update.of(SUM, 1L);
    assertThat(completed(pair(one, one).invoke(Input.of(SUM, 5L))).get(SUM)).isEqualTo(7);
  }

  @Test
  void equal_items_of_two_branches_are_added_as_two_items() throws Exception {
    Node same = (_, _) -> Update.of(ITEMS, "same");
    var input = Input.all(ITEMS, List.of("a", "b", "c"));
    assertThat(completed(pair(same, same).invoke(input)).get(ITEMS))
        .containsExactly("a", "b", "c", "same", "same");
  }

  @Test
  void two_writers_of_one_value_are_an_error_that_names_both() {
    var graph = pair((_, _) -> Update.of(WORD, "left"), (_, _) -> Update.of(WORD, "right"));
    assertThat(thrown(ConcurrentWrites.class, () -> graph.invoke(Input.none())))
        .hasMessageContaining("`left`")
        .hasMessageContaining("`right`")
        .hasMessageContaining("`word`");
  }

  private static Graph loop(long to) {
    return Graph.named("loop")
        .channels(COUNT)
        .node("count", (state, _) -> Update.of(COUNT, state.get(COUNT) + 1))
        .edge(START, "count")
        .route("count", state -> state.get(COUNT) < to ? "count" : END, "count", END)
        .compile();
  }

  @Test
  void ten_thousand_supersteps_need_no_larger_stack() throws Exception {
    var options = RunOptions.defaults().stepLimit(10_000);
    assertThat(completed(loop(10_000).invoke(Input.of(COUNT, 0L), options)).get(COUNT))
        .isEqualTo(10_000);
  }

  @Test
  void the_limit_of_supersteps_is_an_error_and_not_a_result() {
    var options = RunOptions.defaults().stepLimit(100);
    thrown(StepLimitReached.class, () -> loop(500).invoke(Input.of(COUNT, 0L), options));
  }

  @Test
  void branches_of_unequal_length_meet_once() throws Exception {
    Node nothing = (_, _) -> NodeResult.nothing();
    var graph =
        Graph.named("unequal")
            .channels(SUM)
            .node("short", nothing)
            .node("long", nothing)
            .node("longer", nothing)
            .node("meet", (_, _) -> Update.of(SUM, 1L))
            .edge(START, "short")
            .edge(START, "long")
            .edge("long", "longer")
            .join(List.of("short", "longer"), "meet")
            .edge("meet", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(SUM)).isEqualTo(1);
  }

  @Test
  void a_second_run_on_a_busy_thread_is_refused() throws Exception {
    var inside = new CountDownLatch(1);
    var over = new CountDownLatch(1);
    Node slow =
        (_, _) -> {
          inside.countDown();
          over.await();
          return Update.of(SUM, 1L);
        };
    var graph = pair(slow, (_, _) -> NodeResult.nothing());
    var options = kept();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = threads.submit(() -> graph.invoke(Input.none(), options));
      inside.await();
      thrown(ThreadBusy.class, () -> graph.invoke(Input.none(), options));
      over.countDown();
      assertThat(completed(first.get()).get(SUM)).isEqualTo(1);
    }
  }

  @Test
  void of_two_concurrent_answers_to_a_question_one_resumes_the_run() throws Exception {
    var after = new AtomicInteger();
    var graph =
        Graph.named("asking")
            .channels(WORD)
            .questions(ASK)
            .node("ask", (_, context) -> Update.of(WORD, context.interrupt(ASK, "?")))
            .node(
                "after",
                (_, _) -> {
                  after.incrementAndGet();
                  return NodeResult.nothing();
                })
            .edge(START, "ask")
            .edge("ask", "after")
            .edge("after", END)
            .compile();
    var options = kept();
    var id = asked(graph.invoke(Input.none(), options)).getFirst().id();
    var refused = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 2; i++) {
        threads.submit(() -> {
          try {
            return graph.resume(Answers.of(id, "yes"), options);
          } catch (ThreadBusy | AnswerRejected _) {
            return refused.incrementAndGet();
          }
        });
      }
    }
    assertThat(after).hasValue(1);
    assertThat(refused).hasValue(1);
  }

  @Test
  @Tag("G2")
  void a_node_cannot_change_the_state_that_it_was_given() throws Exception {
    var graph =
        pair(
            (state, _) -> {
              thrown(UnsupportedOperationException.class, () -> state.get(ITEMS).add("smuggled"));
              return NodeResult.nothing();
            },
            (_, _) -> NodeResult.nothing());
    assertThat(completed(graph.invoke(Input.of(ITEMS, "a"))).get(ITEMS)).containsExactly("a");
  }
}
