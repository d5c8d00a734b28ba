package dev.superstep.example.guide.operations;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.MissingCapability;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;

/// A question and its answer on a checkpointer of one's own.
public final class OwnCheckpointer {
  private static final Channel<String, String> COLOUR = Channel.latest("colour", String.class);
  private static final Question<String, String> WHICH =
      Question.of("which", String.class, String.class);

  private OwnCheckpointer() {}

  /// Runs it.
  public static void main(String[] arguments) throws InterruptedException {
    var graph =
        Graph.named("painter")
            .channels(COLOUR)
            .questions(WHICH)
            .node("ask", (_, context) -> Update.of(COLOUR, context.interrupt(WHICH, "Colour?")))
            .edge(START, "ask")
            .edge("ask", END)
            .compile();
    var store = new MapCheckpointer();
    var options = RunOptions.thread("wall").checkpoints(store);
    var asked = (Outcome.Interrupted) graph.invoke(Input.none(), options);
    var answer = Answers.of(asked.questions().getFirst().id(), WHICH, "green");
    var done = (Outcome.Completed) graph.resume(answer, options);
    System.out.println(done.state().get(COLOUR));
    try {
      Threads.in(store).delete("wall");
    } catch (MissingCapability missing) {
      System.out.println(missing.getMessage());
    }
  }
}
