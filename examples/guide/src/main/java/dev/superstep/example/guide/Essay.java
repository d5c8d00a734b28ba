package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.shape.Delegate;
import dev.superstep.shape.LoopVerdict;
import dev.superstep.shape.PlanExecuteReview;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;

/// An essay that is planned, written and reviewed, with facts from a graph of its own.
public final class Essay {
  static final Channel<String, String> TOPIC = Channel.latest("topic", String.class);
  static final Channel<String, String> FACT = Channel.latest("fact", String.class);
  static final Channel<String, String> TEXT = Channel.latest("text", String.class);
  static final Channel<List<String>, String> NOTES = Channel.append("notes", String.class);

  private Essay() {}

  static Graph graph() {
    var facts =
        Delegate.named("facts", Library.graph())
            .input(TOPIC, Library.SUBJECT)
            .output(Library.FOUND, FACT);
    var work =
        PlanExecuteReview.named("work", 3, "apologise")
            .plan((_, _) -> Update.of(TEXT, ""))
            .execute((state, _) -> Update.of(TEXT, draft(state)))
            .review(Essay::review)
            .then("publish");
    var builder = Graph.named("essay").channels(TOPIC, FACT, TEXT, NOTES);
    facts.then(work.entry()).addTo(builder);
    work.addTo(builder);
    return builder
        .node("publish", (state, _) -> Update.of(NOTES, "published: " + state.get(TEXT)))
        .node("apologise", (_, _) -> Update.of(NOTES, "no essay today"))
        .edge(START, facts.entry())
        .edge("publish", END)
        .edge("apologise", END)
        .compile();
  }

  private static String draft(State state) {
    return state.get(NOTES).isEmpty() ? "About " + state.get(TOPIC) : state.get(FACT);
  }

  private static LoopVerdict review(State state, NodeContext context) {
    if (state.get(TEXT).equals(state.get(FACT))) return LoopVerdict.pass().and(NOTES, "good");
    return LoopVerdict.fail().and(NOTES, "says nothing");
  }

  /// Another graph, with channels of its own.
  static final class Library {
    static final Channel<String, String> SUBJECT = Channel.latest("subject", String.class);
    static final Channel<String, String> FOUND = Channel.latest("found", String.class);

    private Library() {}

    static Graph graph() {
      return Graph.named("library")
          .channels(SUBJECT, FOUND)
          .node("search", (state, _) -> Update.of(FOUND, state.get(SUBJECT) + " sing"))
          .sequence(START, "search", END)
          .compile();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    var graph = graph();
    if (graph.invoke(Input.of(TOPIC, "Whales")) instanceof Completed(var state)) {
      state.get(NOTES).forEach(System.out::println);
    }
    System.out.print(graph.topology().mermaid());
  }
}
