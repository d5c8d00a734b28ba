package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memories;
import dev.superstep.error.CorruptThread;
import dev.superstep.error.Deadlock;
import dev.superstep.error.InvalidGraph;
import dev.superstep.error.StepLimitReached;
import dev.superstep.graph.internal.kernel.Arrivals;
import dev.superstep.graph.internal.kernel.NodeBody;
import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.node.JoinPolicy;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Joins that do not wait for every source.
@Tag("T71")
class JoinPolicyTest {
  static final Channel<List<String>, String> PATH = Channel.append("path", String.class);
  static final Channel<Long, Long> ROUND = Channel.sum("round");
  static final Node TRACE = (_, context) -> Update.of(PATH, context.node() + context.step());

  /// Sources a, b and c that finish in supersteps 1, 2 and 3, and a join of them.
  static GraphBuilder staggered(JoinPolicy policy) {
    var graph = Graph.named("joins").channels(PATH, ROUND);
    for (var node : List.of("a", "wait", "b", "wait1", "wait2", "c", "end"))
      graph.node(node, TRACE);
    return graph
        .edge(START, "a")
        .sequence(START, "wait", "b")
        .sequence(START, "wait1", "wait2", "c")
        .join(policy, List.of("a", "b", "c"), "end")
        .edge("end", END);
  }

  static List<String> ends(Graph graph, RunOptions options) throws InterruptedException {
    var path = completed(graph.invoke(Input.none(), options)).get(PATH);
    return path.stream().filter(p -> p.startsWith("end")).toList();
  }

  @Test
  void any_fires_with_the_first_source_and_once() throws Exception {
    var graph = staggered(JoinPolicy.any()).compile();
    for (int concurrency : new int[] {1, 64}) {
      var options = RunOptions.defaults().concurrency(concurrency);
      assertThat(ends(graph, options)).containsExactly("end2");
    }
  }

  @Test
  void at_least_two_fires_with_the_second_source_and_once() throws Exception {
    var graph = staggered(JoinPolicy.atLeast(2)).compile();
    assertThat(ends(graph, RunOptions.defaults())).containsExactly("end3");
  }

  @Test
  void all_fires_with_the_last_source() throws Exception {
    var graph = staggered(JoinPolicy.all()).compile();
    assertThat(ends(graph, RunOptions.defaults())).containsExactly("end4");
  }

  @Test
  void sources_of_one_superstep_count_together() throws Exception {
    var graph = Graph.named("joins").channels(PATH).node("end", TRACE).edge("end", END);
    for (var node : List.of("a", "b", "c")) graph.node(node, TRACE).edge(START, node);
    var joined = graph.join(JoinPolicy.atLeast(2), List.of("a", "b", "c"), "end").compile();
    assertThat(completed(joined.invoke(Input.none())).get(PATH))
        .containsExactly("a1", "b1", "c1", "end2");
  }

  @Test
  void late_sources_do_not_fire_again_when_the_run_was_resumed_between() throws Exception {
    for (int needs = 1; needs <= 3; needs++) {
      var policy = JoinPolicy.atLeast(needs);
      var options = kept().stepLimit(1);
      thrown(
          StepLimitReached.class, () -> staggered(policy).compile().invoke(Input.none(), options));
      List<String> path = null;
      while (path == null) {
        try {
          var again = staggered(policy).compile();
          path = completed(again.resume(Answers.none(), options)).get(PATH);
        } catch (StepLimitReached e) {
          assertThat(e.limit()).isEqualTo(1);
        }
      }
      assertThat(path).containsOnlyOnce("end" + (needs + 1));
      assertThat(path.stream().filter(p -> p.startsWith("end"))).hasSize(1);
    }
  }

  @Test
  void a_source_that_finishes_again_begins_the_next_generation() throws Exception {
    // `quick` finishes in each of three supersteps, `never` is not chosen.
    var graph =
        Graph.named("joins")
            .channels(PATH, ROUND)
            .node("quick", (_, _) -> Update.of(ROUND, 1L))
            .node("never", TRACE)
            .node("end", TRACE)
            .edge(START, "quick")
            .route("quick", s -> s.get(ROUND) < 3 ? "quick" : END, "quick", "never", END)
            .join(JoinPolicy.any(), List.of("quick", "never"), "end")
            .edge("end", END)
            .compile();
    assertThat(ends(graph, RunOptions.defaults())).containsExactly("end2", "end3", "end4");
  }

  @Test
  @Tag("A8")
  void a_join_that_fired_is_no_deadlock_and_one_that_lacks_sources_is() {
    var graph = Graph.named("joins").channels(PATH).node("end", TRACE).edge("end", END);
    for (var node : List.of("a", "b", "c")) graph.node(node, TRACE);
    graph
        .edge(START, "a")
        .route("a", _ -> END, "b", "c", END)
        .join(JoinPolicy.atLeast(2), List.of("a", "b", "c"), "end");
    var error = thrown(Deadlock.class, () -> graph.compile().invoke(Input.none()));
    assertThat(error.waiting())
        .containsExactly(
            new Deadlock.Waiting("join a+b+c (2 of 3) -> end", "end", 1, List.of("b", "c")));
    assertThat(error).hasMessageContaining("waits for 1 of b, c");
  }

  @Test
  void joins_that_differ_only_in_policy_do_not_mix() throws Exception {
    var graph =
        staggered(JoinPolicy.any())
            .node("last", TRACE)
            .join(JoinPolicy.all(), List.of("a", "b", "c"), "end")
            .join(List.of("a", "b", "c"), "last")
            .edge("last", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(PATH))
        .contains("end2", "end4", "last4")
        .doesNotContain("end3");
  }

  @Test
  void a_policy_that_can_never_be_met_is_refused() {
    assertThat(thrown(IllegalArgumentException.class, () -> JoinPolicy.atLeast(0)))
        .hasMessageContaining("at least 1, was 0");
    var error = thrown(InvalidGraph.class, () -> staggered(JoinPolicy.atLeast(4)).compile());
    assertThat(error.problems()).extracting(Problem::code).containsExactly("join-needs-too-many");
  }

  @Test
  @Tag("A17")
  void the_policy_is_part_of_the_shape_and_of_the_drawing() {
    var all = staggered(JoinPolicy.all()).compile().topology();
    var two = staggered(JoinPolicy.atLeast(2)).compile().topology();
    var any = staggered(JoinPolicy.any()).compile().topology();
    assertThat(List.of(all.hash(), two.hash(), any.hash())).doesNotHaveDuplicates();
    assertThat(all.mermaid()).contains("join0{{all}}");
    assertThat(two.mermaid()).contains("join0{{2 of 3}}");
    assertThat(any.mermaid()).contains("join0{{any}}");
  }

  @Test
  void stored_arrivals_that_no_run_can_have_made_are_refused() throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store).stepLimit(1);
    thrown(
        StepLimitReached.class,
        () -> staggered(JoinPolicy.all()).compile().invoke(Input.none(), options));
    var saved = store.latest(Lineage.of("t")).orElseThrow().checkpoint();
    assertThat(saved.progress().arrived()).containsOnlyKeys("a+b+c -> end");
    var graph = staggered(JoinPolicy.all()).compile();
    for (var arrived :
        List.of(Map.of("a+b+c -> end", Set.of("zebra")), Map.of("x+y -> z", Set.of("x")))) {
      var marks = new Snapshot.Marks(arrived, Map.of(), List.of(), Map.of(), Memories.NONE);
      thrown(CorruptThread.class, () -> graph.compiled().executionGraph().check(marks));
    }
  }

  /// What a join should do, said as plainly as can be: it remembers each generation's arrivals as
  /// they came, and whether it has fired.
  private static final class Model {
    private final int sources;
    private final int needs;
    private final Set<String> generation = new LinkedHashSet<>();
    private boolean fired;

    Model(int sources, int needs) {
      this.sources = sources;
      this.needs = needs;
    }

    boolean superstep(Set<String> came) {
      boolean fires = false;
      var repeating = came.stream().filter(generation::contains).toList();
      if (fired && !repeating.isEmpty()) {
        generation.clear();
        fired = false;
        generation.addAll(repeating);
      } else {
        generation.addAll(came);
      }
      if (!fired && generation.size() >= needs) {
        fires = true;
        fired = true;
      }
      if (generation.size() == sources) {
        generation.clear();
        fired = false;
      }
      return fires;
    }
  }

  @Test
  void any_sequence_of_arrivals_fires_as_the_model_says() {
    var random = new Random(71);
    int firings = 0;
    for (int round = 0; round < 2_000; round++) {
      int sources = 2 + random.nextInt(4);
      int needs = 1 + random.nextInt(sources);
      var names = new ArrayList<String>();
      for (int i = 0; i < sources; i++) names.add("s" + i);
      var target = spec("to");
      var join = NodeSpec.Join.of(names, needs, target);
      var nodes = new HashMap<String, NodeSpec>();
      for (var name : names) {
        nodes.put(name, spec(name));
        nodes.get(name).joins.add(join);
      }
      var model = new Model(sources, needs);
      Map<String, Set<String>> kept = Map.of();
      for (int step = 0; step < 12; step++) {
        var came = new LinkedHashSet<String>();
        var arrivals = new Arrivals(kept);
        for (int i = random.nextInt(sources + 1); i > 0; i--) {
          var name = names.get(random.nextInt(sources));
          came.add(name);
          arrivals.arrive(nodes.get(name));
        }
        boolean expected = model.superstep(came);
        boolean fired = !arrivals.meet(null).isEmpty();
        assertThat(fired).as("%s of %s", needs, names).isEqualTo(expected);
        kept = Map.copyOf(arrivals.arrived());
        if (expected) firings++;
      }
    }
    assertThat(firings).isGreaterThan(2_000);
  }

  private static NodeSpec spec(String name) {
    var body = new NodeBody.OnState((_, _) -> NodeResult.nothing());
    return new NodeSpec(name, 0, body, null);
  }
}
