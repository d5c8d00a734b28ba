package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Parking;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Workload;
import dev.superstep.graph.Graph;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.io.IOException;

/// W5: threads that wait for an answer, and go on when it is given.
final class Parked implements Workload {
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final Channel<String, String> ABOUT = Channel.latest("about", String.class);
  private static final Question<String, Long> MORE = Question.of("more", String.class, Long.class);

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    Parking.measure(what, out, "platform", kind -> new Kept(graph(), ThreadStorage.open(kind)));
  }

  private record Kept(Graph graph, ThreadStorage storage) implements Parking.Threads {
    @Override
    public void park(int number) throws InterruptedException {
      var input = Input.of(N, 0L).and(ABOUT, "thing " + number);
      Outcomes.questions(graph.invoke(input, storage.options("thread-" + number)));
    }

    @Override
    public long resume(int number) throws InterruptedException {
      var options = storage.options("thread-" + number);
      var state = Outcomes.state(graph.resume(Answers.to(MORE, 1L), options));
      return state.get(ABOUT).equals("thing " + number) ? state.get(N) : 0;
    }

    @Override
    public long bytes() throws Exception {
      return storage.bytes();
    }

    @Override
    public void close() throws IOException {
      storage.close();
    }
  }

  private static Graph graph() {
    return Graph.named("parked")
        .channels(N, ABOUT)
        .questions(MORE)
        .node("draft", (state, _) -> Update.of(N, state.get(N) + 1))
        .node(
            "ask",
            (state, context) ->
                Update.of(N, state.get(N) + context.interrupt(MORE, state.get(ABOUT))))
        .edge(START, "draft")
        .edge("draft", "ask")
        .edge("ask", END)
        .compile();
  }
}
