package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.json.Json;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Rate;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a superstep allocates beside much that has nothing to do with it.
final class LargeGraphCostTest {
  private static final Channel<Long, Long> COUNT = Channel.sum("count");
  private static final int STEPS = 400;

  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  static long allocated(Work work) throws Exception {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    work.run();
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  /// The bytes of each superstep of a loop.
  static long perStep(GraphBuilder builder) throws Exception {
    var graph =
        builder
            .channels(COUNT)
            .node("say", (_, _) -> Update.of(COUNT, 1L))
            .edge(START, "say")
            .route("say", s -> s.get(COUNT) < STEPS ? "say" : END, "say", END)
            .compile();
    var options = RunOptions.defaults().stepLimit(STEPS + 1);
    return allocated(() -> completed(graph.invoke(Input.none(), options))) / STEPS;
  }

  static GraphBuilder channels(int many) {
    var builder = Graph.named("wide");
    for (int i = 0; i < many; i++) builder.channels(Channel.latest("c" + i, String.class));
    return builder;
  }

  static GraphBuilder nodes(int many) {
    var builder = Graph.named("wide").node("pick", (_, _) -> NodeResult.nothing());
    var targets = new ArrayList<>(List.of(END));
    for (int i = 0; i < many; i++) {
      builder.node("n" + i, (_, _) -> NodeResult.nothing()).edge("n" + i, END);
      targets.add("n" + i);
    }
    return builder.edge(START, "pick").route("pick", _ -> END, targets.toArray(String[]::new));
  }

  static GraphBuilder triggers(int many) {
    var builder = Graph.named("wide");
    for (int i = 0; i < many; i++) {
      var token = Channel.token("t" + i, String.class);
      builder.channels(token).node("n" + i, (_, _) -> NodeResult.nothing()).trigger("n" + i, token);
    }
    return builder;
  }

  @Test
  @Tag("W51")
  void a_superstep_in_a_graph_with_5000_channels_allocates_little_more_than_with_few()
      throws Exception {
    assertThat(perStep(channels(5_000))).isLessThan(perStep(channels(10)) + 8_000);
  }

  @Test
  void a_superstep_in_a_graph_with_5000_nodes_allocates_little_more_than_with_few()
      throws Exception {
    assertThat(perStep(nodes(5_000))).isLessThan(perStep(nodes(10)) + 8_000);
  }

  @Test
  void a_superstep_in_a_graph_with_5000_triggers_allocates_little_more_than_with_few()
      throws Exception {
    assertThat(perStep(triggers(5_000))).isLessThan(perStep(triggers(10)) + 8_000);
  }

  @Test
  void a_superstep_in_a_large_graph_activates_the_same_nodes_as_in_a_small_one() throws Exception {
    for (int many : List.of(10, 500)) {
      var path = Channel.append("path", String.class);
      var builder = Graph.named("wide").channels(path);
      for (int i = 0; i < many; i++) {
        builder.node("n" + i, (_, context) -> Update.of(path, context.node()));
        builder.edge(i % 2 == 0 ? START : "n" + (i - 1), "n" + i);
        builder.edge("n" + i, END);
      }
      State state = completed(builder.compile().invoke(Input.none()));
      var expected = new ArrayList<String>();
      for (int i = 0; i < many; i += 2) expected.add("n" + i);
      for (int i = 1; i < many; i += 2) expected.add("n" + i);
      assertThat(state.get(path)).isEqualTo(expected);
    }
  }

  @Test
  void a_join_of_four_times_the_sources_takes_about_four_times_to_compile() throws Exception {
    assertThat(allocated(joined(2_000)::compile)).isLessThan(6 * allocated(joined(500)::compile));
  }

  static GraphBuilder joined(int many) {
    var names = new ArrayList<String>();
    var builder = Graph.named("joined");
    for (int i = 0; i < many; i++) {
      names.add("source" + i);
      builder.node("source" + i, (_, _) -> NodeResult.nothing()).edge(START, "source" + i);
    }
    return builder.node("end", (_, _) -> NodeResult.nothing()).join(names, "end").edge("end", END);
  }

  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);
  private static final Target<Long> EACH = Target.of("each", Long.class);

  @Test
  void answering_four_times_the_questions_takes_about_four_times() throws Exception {
    assertThat(allocated(() -> answer(1_000))).isLessThan(6 * allocated(() -> answer(250)));
  }

  static void answer(int many) throws Exception {
    var graph =
        Graph.named("asking")
            .channels(COUNT)
            .questions(WHAT)
            .node("fan", (_, _) -> NodeResult.nothing())
            .node(
                EACH,
                (n, _, context) -> {
                  context.interrupt(WHAT, "question " + n);
                  return Update.of(COUNT, n);
                })
            .edge(START, "fan")
            .fanOut("fan", _ -> sends(many), EACH)
            .edge("each", END)
            .compile();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var answers = new LinkedHashMap<String, Json>();
    for (var open : asked(graph.invoke(Input.none(), options))) {
      answers.put(open.id(), Json.of("yes"));
    }
    assertThat(answers).hasSize(many);
    var state = completed(graph.resume(Answers.json(answers), options));
    assertThat(state.get(COUNT)).isEqualTo(many * (many - 1L) / 2);
  }

  /// Counts how often the time is read, which is done to look whether a task may begin.
  static int looks(int many, RunOptions options, Function<NodePolicy, NodePolicy> policy)
      throws Exception {
    var looks = new AtomicInteger();
    var order = new ConcurrentLinkedQueue<String>();
    var now = new AtomicLong();
    var builder = Graph.named("beside");
    for (int i = 0; i < many; i++) {
      builder
          .node(
              "n" + i,
              (_, context) -> {
                order.add(context.node());
                return NodeResult.nothing();
              },
              policy.apply(NodePolicy.defaults().priority(i % 7)))
          .edge(START, "n" + i)
          .edge("n" + i, END);
    }
    var run =
        options
            .concurrency(1)
            .sleeper(time -> now.addAndGet(time.toNanos()))
            .clock(() -> {
              looks.incrementAndGet();
              return Instant.ofEpochSecond(0, now.get());
            });
    completed(builder.compile().invoke(Input.none(), run));
    var expected = new ArrayList<String>();
    for (int priority = 6; priority >= 0; priority--) {
      for (int i = priority; i < many; i += 7) expected.add("n" + i);
    }
    assertThat(order).containsExactlyElementsOf(expected);
    return looks.get();
  }

  @Test
  void rates_of_four_times_the_nodes_are_looked_at_about_four_times() throws Exception {
    var none = RunOptions.defaults();
    var rate = Rate.of(1, Duration.ofSeconds(1));
    UnaryOperator<NodePolicy> same = policy -> policy;
    assertThat(looks(400, none.rate(rate), same)).isLessThan(6 * looks(100, none.rate(rate), same));
    Function<NodePolicy, NodePolicy> each = policy -> policy.rate(rate);
    assertThat(looks(400, none, each)).isLessThan(6 * looks(100, none, each));
  }

  private static List<Send<?>> sends(int many) {
    var sends = new ArrayList<Send<?>>();
    for (long i = 0; i < many; i++) sends.add(Send.to(EACH, i));
    return sends;
  }
}
