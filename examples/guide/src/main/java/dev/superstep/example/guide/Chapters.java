package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;

/// A graph that runs once for each chapter of a book, inside the graph of the book.
public final class Chapters {
  static final Channel<String, String> TITLE = Channel.latest("title", String.class);
  static final Channel<String, String> TEXT = Channel.latest("text", String.class);
  static final Channel<List<String>, String> BOOK = Channel.append("book", String.class);
  static final Target<String> CHAPTER = Target.of("chapter", String.class);

  private Chapters() {}

  static Graph chapter() {
    return Graph.named("chapter")
        .channels(TITLE, TEXT)
        .node("draft", (state, _) -> Update.of(TEXT, "A draft of " + state.get(TITLE)))
        .node("polish", (state, _) -> Update.of(TEXT, state.get(TEXT) + ", polished"))
        .edge(START, "draft")
        .edge("draft", "polish")
        .edge("polish", END)
        .compile();
  }

  static Graph book() {
    return Graph.named("book")
        .channels(BOOK)
        .node("plan", (_, _) -> NodeResult.nothing())
        .node(
            CHAPTER,
            Subgraph.of(
                chapter(),
                title -> Input.of(TITLE, title),
                chapter -> Update.of(BOOK, chapter.get(TEXT))))
        .edge(START, "plan")
        .fanOut("plan", Chapters::chapters, CHAPTER)
        .edge("chapter", END)
        .compile();
  }

  private static List<Send<?>> chapters(State book) {
    return List.of(Send.to(CHAPTER, "Whales"), Send.to(CHAPTER, "Ships"));
  }

  public static void main(String[] args) throws InterruptedException {
    var options = RunOptions.defaults().concurrency(2);
    if (book().invoke(Input.none(), options) instanceof Completed(var state)) {
      state.get(BOOK).forEach(System.out::println);
    }
  }
}
