package dev.superstep.example.migration.langgraph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;

/// A task for each topic, folded by a reducer, and a summary when all are done.
public final class Research {
  private static final Channel<String, String> QUESTION = Channel.latest("question", String.class);
  private static final Channel<List<String>, String> TOPICS =
      Channel.append("topics", String.class);
  private static final Channel<List<String>, String> NOTES = Channel.append("notes", String.class);
  private static final Channel<String, String> REPORT = Channel.latest("report", String.class);
  private static final Target<String> SEARCH = Target.of("search", String.class);

  private Research() {}

  private static Update plan(State state) {
    return Update.all(TOPICS, List.of(state.get(QUESTION).split(", ")));
  }

  private static List<Send<?>> fanOut(State state) {
    return List.copyOf(state.get(TOPICS).stream().map(topic -> Send.to(SEARCH, topic)).toList());
  }

  private static Update search(String topic) {
    return Update.of(NOTES, topic + ": " + topic.length() + " letters");
  }

  private static Update summarize(State state) {
    var topics = String.join(" and ", state.get(TOPICS));
    return Update.of(REPORT, state.get(NOTES).size() + " notes on " + topics);
  }

  static Graph graph() {
    return Graph.named("research")
        .channels(QUESTION, TOPICS, NOTES, REPORT)
        .node("plan", (state, _) -> plan(state))
        .node(SEARCH, (topic, _, _) -> search(topic))
        .node("summarize", (state, _) -> summarize(state))
        .edge(START, "plan")
        .fanOut("plan", Research::fanOut, SEARCH)
        .edge("search", "summarize")
        .edge("summarize", END)
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    var outcome = graph().invoke(Input.of(QUESTION, "whales, seals, krill"));
    if (outcome instanceof Completed(var state)) {
      state.get(NOTES).forEach(System.out::println);
      System.out.println(state.get(REPORT));
    }
  }
}
