package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// W10: a thread with a long history that asks again and again: how long an answer takes until the
/// next question, and a page of the history.
final class LongThread implements Workload {
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final Question<Long, Long> MORE = Question.of("more", Long.class, Long.class);
  private static final String VARIANT = "platform";
  private static final int TIMES = 30;
  private static final int PAGE = 20;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    var graph = graph(steps);
    try (var kept = ThreadStorage.open(what.kind())) {
      var options = kept.options("long").stepLimit(steps + 1);
      var build = Span.of(() -> Outcomes.questions(graph.invoke(Input.of(N, 0L), options)));
      out.add(VARIANT, "build", build, steps);
      var ids = ids(graph, options);
      out.check(VARIANT, true, ids.size() >= steps);
      var random = new Random(10);
      what.warmUp(
          out,
          VARIANT,
          1,
          () -> {
            resume(graph, options);
            page(graph, options, ids, random);
          });
      for (int i = 0; i < TIMES * what.repetitions(); i++) {
        out.add(VARIANT, "us_per_resume", Span.micros(() -> resume(graph, options)));
        out.add(VARIANT, "us_per_page", Span.micros(() -> page(graph, options, ids, random)));
      }
      out.check(VARIANT, PAGE, page(graph, options, ids, random));
    }
  }

  private static void resume(Graph graph, RunOptions options) throws InterruptedException {
    Outcomes.questions(graph.resume(Answers.to(MORE, 1L), options));
  }

  /// @return how many of the page come one after the other
  private static int page(Graph graph, RunOptions options, List<String> ids, Random random) {
    int at = random.nextInt(ids.size() - PAGE - 1);
    var page = graph.history(Optional.of(ids.get(at)), PAGE, options);
    int right = 0;
    for (var checkpoint : page) {
      if (checkpoint.id().equals(ids.get(at + 1 + right))) right++;
    }
    return right;
  }

  /// Of the whole history, newest first.
  private static List<String> ids(Graph graph, RunOptions options) {
    var ids = new ArrayList<String>();
    var before = Optional.<String>empty();
    while (true) {
      var page = graph.history(before, 500, options);
      if (page.isEmpty()) return ids;
      page.stream().map(Checkpoint::id).forEach(ids::add);
      before = Optional.of(ids.getLast());
    }
  }

  private static Graph graph(long steps) {
    return Graph.named("long")
        .channels(N)
        .questions(MORE)
        .node("count", (state, _) -> Update.of(N, state.get(N) + 1))
        .node(
            "ask",
            (state, context) -> Update.of(N, state.get(N) + context.interrupt(MORE, state.get(N))))
        .edge(START, "count")
        .route("count", state -> state.get(N) < steps ? "count" : "ask", "count", "ask")
        .route("ask", state -> state.get(N) < 0 ? END : "ask", "ask", END)
        .compile();
  }
}
