package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.Deadlock;
import dev.superstep.error.StepLimitReached;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T71")
class JoinTest {
  static final Channel<List<String>, String> PATH = Channel.append("path", String.class);
  static final Channel<Long, Long> ROUND = Channel.sum("round");
  static final Node TRACE = (_, context) -> Update.of(PATH, context.node() + context.step());

  static GraphBuilder graph(String... nodes) {
    var builder = Graph.named("joins").channels(PATH, ROUND);
    for (var node : nodes) builder.node(node, TRACE);
    return builder;
  }

  @Test
  void a_join_waits_for_sources_that_finish_in_different_supersteps() throws Exception {
    var graph =
        graph("a", "b", "b2", "b3", "end")
            .edge(START, "a")
            .edge(START, "b")
            .edge("b", "b2")
            .edge("b2", "b3")
            .join(List.of("a", "b3"), "end")
            .edge("end", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(PATH))
        .containsExactly("a1", "b1", "b22", "b33", "end4");
  }

  @Test
  @Tag("R21")
  void a_join_in_a_loop_fires_once_in_each_generation() throws Exception {
    var graph =
        graph("a", "b", "b2")
            .node("fork", (_, _) -> NodeResult.nothing())
            .node("meet", (_, context) -> Update.of(PATH, "meet" + context.step()).and(ROUND, 1L))
            .edge(START, "fork")
            .edge("fork", "a")
            .edge("fork", "b")
            .edge("b", "b2")
            .join(List.of("a", "b2"), "meet")
            .route("meet", state -> state.get(ROUND) < 3 ? "fork" : END, "fork", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(PATH))
        .containsExactly(
            "a2", "b2", "b23", "meet4", "a6", "b6", "b27", "meet8", "a10", "b10", "b211", "meet12");
  }

  @Test
  void a_source_that_finishes_twice_counts_once() throws Exception {
    var graph =
        graph("slow1", "slow2", "slow3")
            .node("quick", (_, _) -> Update.of(ROUND, 1L))
            .node("meet", TRACE)
            .edge(START, "quick")
            .edge(START, "slow1")
            .route("quick", state -> state.get(ROUND) < 2 ? "quick" : END, "quick", END)
            .edge("slow1", "slow2")
            .edge("slow2", "slow3")
            .join(List.of("quick", "slow3"), "meet")
            .edge("meet", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(PATH))
        .containsExactly("slow11", "slow22", "slow33", "meet4");
  }

  @Test
  void arrivals_at_a_join_are_saved_when_the_run_stops_in_between() throws Exception {
    var graph =
        graph("a", "b", "b2", "end")
            .edge(START, "a")
            .edge(START, "b")
            .edge("b", "b2")
            .join(List.of("a", "b2"), "end")
            .edge("end", END)
            .compile();
    var options = kept().stepLimit(1);
    thrown(StepLimitReached.class, () -> graph.invoke(Input.none(), options));
    thrown(StepLimitReached.class, () -> graph.resume(Answers.none(), options));
    assertThat(completed(graph.resume(Answers.none(), options)).get(PATH))
        .containsExactly("a1", "b1", "b22", "end3");
  }

  @Test
  @Tag("R21")
  void all_tasks_of_a_fan_out_count_as_one_source() throws Exception {
    var item = Target.of("item", Integer.class);
    var graph =
        graph("a", "end")
            .node(item, (n, _, _) -> Update.of(PATH, "item" + n))
            .edge(START, "a")
            .fanOut(START, _ -> List.of(Send.to(item, 1), Send.to(item, 2)), item)
            .join(List.of("a", "item"), "end")
            .edge("end", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(PATH))
        .containsExactly("a1", "item1", "item2", "end2");
  }

  @Test
  @Tag("A8")
  void a_join_that_waits_for_a_node_that_never_comes_is_a_deadlock_naming_both() {
    var graph =
        graph("a", "b", "never", "end")
            .edge(START, "a")
            .edge(START, "b")
            .route("b", _ -> END, "never", END)
            .join(List.of("a", "never"), "end")
            .edge("end", END)
            .compile();
    var error = thrown(Deadlock.class, () -> graph.invoke(Input.none()));
    assertThat(error.waiting())
        .containsExactly(new Deadlock.Waiting("join a+never -> end", "end", 1, List.of("never")));
    assertThat(error).hasMessageContaining("waits for never");
    assertThat(error.code()).isEqualTo("graph.deadlock");
  }

  @Test
  void new_input_on_a_thread_begins_a_new_generation() throws Exception {
    var graph =
        graph("a", "b", "end")
            .edge(START, "a")
            .route("a", state -> state.get(ROUND) == 0 ? END : "b", "b", END)
            .join(List.of("a", "b"), "end")
            .edge("end", END)
            .compile();
    var options = kept();
    thrown(Deadlock.class, () -> graph.invoke(Input.none(), options));
    assertThat(completed(graph.invoke(Input.of(ROUND, 1L), options)).get(PATH))
        .containsExactly("a1", "a3", "b4", "end5");
  }
}
