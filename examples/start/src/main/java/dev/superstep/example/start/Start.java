package dev.superstep.example.start;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.run.Outcome.Interrupted;
import dev.superstep.state.Channel;
import dev.superstep.state.State;

/// Writes a greeting, stops to ask a person about it, and goes on with the answer.
public final class Start {
  static final Channel<String, String> TEXT = Channel.latest("text", String.class);
  static final Question<String, Approval> GOOD = Question.of("good", String.class, Approval.class);

  public static void main(String[] args) throws InterruptedException {
    var graph =
        Graph.named("greeter")
            .channels(TEXT)
            .questions(GOOD)
            .node("greet", (state, _) -> Update.of(TEXT, "Hello, " + state.get(TEXT) + "!"))
            .node("ask", Start::ask)
            .edge(START, "greet")
            .edge("greet", "ask")
            .edge("ask", END)
            .compile();
    var options = RunOptions.thread("first").checkpoints(new InMemoryCheckpointer());
    if (graph.invoke(Input.of(TEXT, "Ada"), options) instanceof Interrupted(var questions)) {
      System.out.println("Is this good? " + GOOD.read(questions.getFirst()));
      var yes = Answers.none().and(GOOD.answer(questions.getFirst(), Approval.yes()));
      if (graph.resume(yes, options) instanceof Completed(var state)) {
        System.out.println(state.get(TEXT));
      }
    }
  }

  private static Update ask(State state, NodeContext context) {
    var answer = context.interrupt(GOOD, state.get(TEXT)); // suspends here; may take days
    return Update.of(TEXT, state.get(TEXT) + (answer.approved() ? " Sent." : " Thrown away."));
  }
}
