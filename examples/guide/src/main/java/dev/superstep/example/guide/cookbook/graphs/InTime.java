package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// A question that is answered by a person, or by the clock.
public final class InTime {
  static final Question<String, Approval> BUY = Question.of("buy", String.class, Approval.class);
  static final Channel<String, String> END_OF_IT = Channel.latest("end", String.class);

  private InTime() {}

  static Graph graph() {
    return Graph.named("order")
        .channels(END_OF_IT)
        .questions(BUY)
        .node("ask", InTime::ask)
        .edge(START, "ask")
        .edge("ask", END)
        .compile();
  }

  private static Update ask(State state, NodeContext context) {
    var answer = context.interrupt(BUY, "Buy it?");
    return Update.of(END_OF_IT, answer.approved() ? "bought" : answer.note().orElse("not bought"));
  }

  /// Called every minute by a scheduler: says no to what nobody has answered in time.
  static void expire(Checkpointer store, Instant before) throws InterruptedException {
    for (var open : Threads.in(store).list(ThreadQuery.newest(100))) {
      var isOld = open.checkpoint().at().isBefore(before);
      var options = RunOptions.thread(open.thread()).checkpoints(store);
      var state = graph().state(options).orElseThrow();
      if (!isOld || state.questions().isEmpty()) continue;
      var no = BUY.answer(state.questions().getFirst(), Approval.no("Nobody answered in time."));
      graph().resume(Answers.none().and(no), options);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    var store = new InMemoryCheckpointer();
    var monday = Instant.parse("2026-11-23T09:00:00Z");
    for (var thread : List.of("lamp", "chair")) {
      var options = RunOptions.thread(thread).checkpoints(store).clock(() -> monday);
      graph().invoke(Input.none(), options);
    }
    var lamp = RunOptions.thread("lamp").checkpoints(store);
    graph().resume(Answers.to(BUY, Approval.yes()), lamp); // a person was faster
    expire(store, monday.plus(Duration.ofDays(2)));
    for (var thread : List.of("lamp", "chair")) {
      var options = RunOptions.thread(thread).checkpoints(store);
      System.out.println(
          thread + ": " + graph().state(options).orElseThrow().state().get(END_OF_IT));
    }
  }
}
