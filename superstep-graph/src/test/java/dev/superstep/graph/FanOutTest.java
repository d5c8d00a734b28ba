package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.NodeFailed;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.SendNode;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FanOutTest {
  static final Channel<Long, Long> COUNT = Channel.latest("count", Long.class);
  static final Channel<List<String>, String> DONE = Channel.append("done", String.class);
  static final Channel<String, String> REPORT = Channel.latest("report", String.class);
  static final Target<Integer> WORK = Target.of("work", Integer.class);
  static final Question<String, Approval> SURE = Question.of("sure", String.class, Approval.class);

  static List<Send<?>> numbers(long count) {
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < count; i++) sends.add(Send.to(WORK, i));
    return sends;
  }

  static Graph graph(SendNode<Integer> work) {
    return Graph.named("fan-out")
        .channels(COUNT, DONE, REPORT)
        .questions(SURE)
        .node("list", (_, _) -> NodeResult.nothing())
        .node(WORK, work)
        .node("report", (state, _) -> Update.of(REPORT, String.join(",", state.get(DONE))))
        .edge(START, "list")
        .fanOut("list", state -> numbers(state.get(COUNT)), WORK)
        .edge("work", "report")
        .edge("report", END)
        .compile();
  }

  @Test
  @Tag("T82")
  void every_send_runs_once_and_results_come_in_sending_order() throws Exception {
    var graph = graph((n, _, _) -> Update.of(DONE, "r" + n));
    var outcome = graph.invoke(Input.of(COUNT, 12L));
    assertThat(outcome).isInstanceOf(Outcome.Completed.class);
    var state = ((Outcome.Completed) outcome).state();
    assertThat(state.get(REPORT)).isEqualTo("r0,r1,r2,r3,r4,r5,r6,r7,r8,r9,r10,r11");
    assertThat(state.version(DONE)).isEqualTo(1);
  }

  @Test
  @Tag("W22")
  void blocking_tasks_of_one_superstep_run_at_the_same_time() throws Exception {
    var all = new CountDownLatch(50);
    var graph =
        graph((n, _, _) -> {
          all.countDown();
          assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
          return Update.of(DONE, "r" + n);
        });
    assertThat(graph.invoke(Input.of(COUNT, 50L))).isInstanceOf(Outcome.Completed.class);
  }

  @Test
  @Tag("T88")
  void finished_siblings_of_a_failed_task_do_not_run_again() throws Exception {
    var runs = new ConcurrentHashMap<Integer, AtomicInteger>();
    var broken = new AtomicInteger(1);
    var graph =
        graph((n, _, _) -> {
          runs.computeIfAbsent(n, _ -> new AtomicInteger()).incrementAndGet();
          if (n == 3 && broken.getAndDecrement() > 0) throw new IllegalStateException("boom");
          return Update.of(DONE, "r" + n);
        });
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    try {
      graph.invoke(Input.of(COUNT, 5L), options);
    } catch (NodeFailed e) {
      assertThat(e).hasMessageContaining("boom").hasMessageContaining("work");
    }
    var outcome = graph.resume(Answers.none(), options);
    assertThat(((Outcome.Completed) outcome).state().get(REPORT)).isEqualTo("r0,r1,r2,r3,r4");
    assertThat(runs.get(3)).hasValue(2);
    assertThat(runs.get(0)).hasValue(1);
    assertThat(runs.get(4)).hasValue(1);
  }

  @Test
  @Tag("W19")
  void several_tasks_of_one_node_get_their_own_answers_in_any_order() throws Exception {
    var runs = new ConcurrentHashMap<Integer, AtomicInteger>();
    var graph =
        graph((n, _, context) -> {
          runs.computeIfAbsent(n, _ -> new AtomicInteger()).incrementAndGet();
          if (n % 2 == 0) return Update.of(DONE, "r" + n);
          var answer = context.interrupt(SURE, "really " + n + "?");
          return Update.of(DONE, "r" + n + (answer.approved() ? "+" : "-"));
        });
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var first = (Outcome.Interrupted) graph.invoke(Input.of(COUNT, 4L), options);
    assertThat(first.questions()).hasSize(2);
    assertThat(SURE.read(first.questions().get(1))).isEqualTo("really 3?");
    var three = SURE.answer(first.questions().get(1), Approval.yes());
    var second = (Outcome.Interrupted) graph.resume(new Answers(List.of(three)), options);
    assertThat(second.questions()).containsExactly(first.questions().get(0));
    var one = SURE.answer(first.questions().get(0), Approval.no("why"));
    var outcome = graph.resume(new Answers(List.of(one)), options);
    assertThat(((Outcome.Completed) outcome).state().get(REPORT)).isEqualTo("r0,r1-,r2,r3+");
    assertThat(runs.get(0)).hasValue(1);
    assertThat(runs.get(1)).hasValue(2);
    assertThat(runs.get(3)).hasValue(2);
  }
}
