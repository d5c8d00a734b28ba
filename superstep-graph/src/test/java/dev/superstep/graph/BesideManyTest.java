package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.json.Json;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a superstep allocates beside much that has nothing to do with it.
final class BesideManyTest {
  private static final Channel<Long, Long> COUNT = Channel.sum("count");
  private static final int STEPS = 400;

  @FunctionalInterface
  private interface Work {
    void run() throws Exception;
  }

  private static long allocated(Work work) throws Exception {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    work.run();
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  /// The bytes of each superstep of a loop.
  private static long perStep(GraphBuilder builder) throws Exception {
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

  private static GraphBuilder channels(int many) {
    var builder = Graph.named("wide");
    for (int i = 0; i < many; i++) builder.channels(Channel.latest("c" + i, String.class));
    return builder;
  }

  private static GraphBuilder nodes(int many) {
    var builder = Graph.named("wide");
    for (int i = 0; i < many; i++) {
      builder.node("n" + i, (_, _) -> NodeResult.nothing());
      builder.edge(i == 0 ? START : "n" + (i - 1), "n" + i);
    }
    return many == 0 ? builder : builder.edge("n" + (many - 1), END);
  }

  private static GraphBuilder triggers(int many) {
    var builder = Graph.named("wide");
    for (int i = 0; i < many; i++) {
      var token = Channel.token("t" + i, String.class);
      builder.channels(token).node("n" + i, (_, _) -> NodeResult.nothing()).trigger("n" + i, token);
    }
    return builder;
  }

  @Test
  void a_superstep_beside_5000_channels_allocates_little_more_than_beside_few() throws Exception {
    assertThat(perStep(channels(5_000))).isLessThan(perStep(channels(10)) + 8_000);
  }

  @Test
  void a_superstep_beside_5000_triggers_allocates_little_more_than_beside_few() throws Exception {
    assertThat(perStep(triggers(5_000))).isLessThan(perStep(triggers(10)) + 8_000);
  }

  @Test
  void a_superstep_beside_many_nodes_activates_what_it_would_beside_few() throws Exception {
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
    var bytes = new ArrayList<Long>();
    for (int many : List.of(500, 2_000)) {
      var names = new ArrayList<String>();
      var builder = Graph.named("joined");
      for (int i = 0; i < many; i++) {
        names.add("source" + i);
        builder.node("source" + i, (_, _) -> NodeResult.nothing()).edge(START, "source" + i);
      }
      builder.node("end", (_, _) -> NodeResult.nothing()).join(names, "end").edge("end", END);
      bytes.add(allocated(builder::compile));
    }
    assertThat(bytes.get(1)).isLessThan(6 * bytes.get(0));
  }

  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);
  private static final Target<Long> EACH = Target.of("each", Long.class);

  @Test
  void answering_four_times_the_questions_takes_about_four_times() throws Exception {
    var bytes = new ArrayList<Long>();
    for (int many : List.of(250, 1_000)) {
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
      bytes.add(
          allocated(() -> {
            var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
            var answers = new LinkedHashMap<String, Json>();
            for (var open : asked(graph.invoke(Input.none(), options))) {
              answers.put(open.id(), Json.of("yes"));
            }
            assertThat(answers).hasSize(many);
            var state = completed(graph.resume(Answers.json(answers), options));
            assertThat(state.get(COUNT)).isEqualTo(many * (many - 1L) / 2);
          }));
    }
    assertThat(bytes.get(1)).isLessThan(6 * bytes.get(0));
  }

  private static List<Send<?>> sends(int many) {
    var sends = new ArrayList<Send<?>>();
    for (long i = 0; i < many; i++) sends.add(Send.to(EACH, i));
    return sends;
  }
}
