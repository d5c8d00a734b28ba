package dev.superstep.example.migration.langgraph4j;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.run.Outcome.Interrupted;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.nio.file.Path;

/// A text that waits for its editor: kill it while it waits, and start it again.
public final class Publish {
  private static final Channel<String, String> AUTHOR = Channel.latest("author", String.class);
  private static final Channel<String, String> TEXT = Channel.latest("text", String.class);
  private static final Channel<String, String> PAGE = Channel.latest("page", String.class);
  private static final Question<String, String> TITLE =
      Question.of("title", String.class, String.class);

  private Publish() {}

  private static Update draft() {
    System.out.println("drafting");
    return Update.of(TEXT, "Whales sing.");
  }

  private static Update publish(State state, NodeContext context) {
    var title = context.interrupt(TITLE, "which title?");
    return Update.of(PAGE, title + ": " + state.get(TEXT));
  }

  static Graph graph() {
    return Graph.named("publish")
        .channels(AUTHOR, TEXT, PAGE)
        .questions(TITLE)
        .node("draft", (_, _) -> draft())
        .node("publish", Publish::publish)
        .edge(START, "draft")
        .edge("draft", "publish")
        .edge("publish", END)
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    try (var store = SqliteCheckpointer.open(Path.of(args[0]).resolve("threads.db"))) {
      var graph = graph();
      var thread = RunOptions.thread("whales").checkpoints(store);
      var outcome =
          graph.state(thread).isEmpty()
              ? graph.invoke(Input.of(AUTHOR, "Ada"), thread)
              : graph.resume(Answers.none(), thread);
      if (outcome instanceof Interrupted(var questions)) {
        for (var open : questions) {
          System.out.println("before " + open.node() + ": " + TITLE.read(open));
        }
      }
      var answer = Answers.to(TITLE, IO.readln());
      if (graph.resume(answer, thread) instanceof Completed(var state)) {
        System.out.println(state.get(PAGE));
      }
    }
  }
}
