package dev.superstep.store.crash;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.AnswerRejected;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.test.kills.Notes;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/// Threads that wait for an answer, and a process that answers all that it finds. Its arguments:
/// the store's address, the file of notes, how many threads there are.
final class ManyThreads {
  static final Channel<String, String> SAID = Channel.latest("said", String.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);
  private static final int AT_ONCE = 16;

  private ManyThreads() {}

  static Graph graph(Notes notes) {
    return Graph.named("many")
        .channels(SAID)
        .questions(WHAT)
        .node("ask", (_, context) -> Update.of(SAID, context.interrupt(WHAT, "which?")))
        .node(
            "effect",
            (_, context) -> {
              notes.add("effect " + context.task());
              return Update.of(SAID, "done");
            })
        .edge(START, "ask")
        .edge("ask", "effect")
        .edge("effect", END)
        .compile();
  }

  static RunOptions options(Checkpointer store, int number) {
    return RunOptions.thread("many-" + number).checkpoints(store);
  }

  static void park(Checkpointer store, Notes notes, int threads) throws Exception {
    var graph = graph(notes);
    each(threads, number -> graph.invoke(Input.none(), options(store, number)));
  }

  /// What is done with one thread.
  interface Work {
    Object with(int thread) throws Exception;
  }

  static void each(int threads, Work work) throws Exception {
    var room = new Semaphore(AT_ONCE);
    try (var all = Executors.newVirtualThreadPerTaskExecutor()) {
      var ends = new java.util.ArrayList<java.util.concurrent.Future<?>>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        ends.add(
            all.submit(() -> {
              room.acquire();
              try {
                return work.with(number);
              } finally {
                room.release();
              }
            }));
      }
      for (var end : ends) end.get();
    }
  }

  public static void main(String[] arguments) throws Exception {
    System.out.println(Teller.told(() -> answerAll(arguments)));
    System.out.flush();
  }

  private static String answerAll(String[] arguments) throws Exception {
    var graph = graph(new Notes(Path.of(arguments[1])));
    try (var store = Teller.open(arguments[0])) {
      each(Integer.parseInt(arguments[2]), number -> answer(graph, options(store, number)));
    }
    return "answered";
  }

  private static Object answer(Graph graph, RunOptions options) throws InterruptedException {
    try {
      var questions = graph.state(options).orElseThrow().questions();
      if (questions.isEmpty()) return "answered by another";
      var answers = Answers.none().and(WHAT.answer(questions.getFirst(), "red"));
      return graph.resume(answers, options) instanceof Outcome.Completed;
    } catch (ThreadBusy | AnswerRejected e) {
      return e.code();
    }
  }
}
