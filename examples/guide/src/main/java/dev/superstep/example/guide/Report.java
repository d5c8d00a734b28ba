package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.event.Event;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import java.util.concurrent.CountDownLatch;

/// Writes a summary in three steps beside a chart that takes longer than all of them.
public final class Report {
  static final Channel<String, String> NOTES = Channel.latest("notes", String.class);
  static final Channel<String, String> DRAFT = Channel.latest("draft", String.class);
  static final Channel<String, String> SUMMARY = Channel.latest("summary", String.class);
  static final Channel<String, String> CHART = Channel.latest("chart", String.class);

  private Report() {}

  static Graph graph(CountDownLatch written) {
    return Graph.named("report")
        .channels(NOTES, DRAFT, SUMMARY, CHART)
        .node("chart", (_, _) -> Update.of(CHART, drawn(written)))
        .node("notes", (_, _) -> Update.of(NOTES, "rain, wind"))
        .node("draft", (state, _) -> Update.of(DRAFT, "It has " + state.get(NOTES)))
        .node("polish", (state, _) -> Update.of(SUMMARY, state.get(DRAFT) + "."))
        .writes("chart", CHART)
        .writes("notes", NOTES)
        .reads("draft", NOTES)
        .writes("draft", DRAFT)
        .reads("polish", DRAFT)
        .edge(START, "chart")
        .edge(START, "notes")
        .edge("notes", "draft")
        .edge("draft", "polish")
        .edge("polish", END)
        .edge("chart", END)
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    var written = new CountDownLatch(1);
    var options = RunOptions.defaults().dataflow().listener(event -> print(event, written));
    if (graph(written).invoke(Input.none(), options) instanceof Completed(var state)) {
      System.out.println(state.get(SUMMARY) + " " + state.get(CHART));
    }
  }

  private static void print(Event event, CountDownLatch written) {
    if (event instanceof Event.StepFinished) {
      System.out.println("superstep " + event.origin().step() + " is over");
    }
    if (!(event instanceof Event.NodeFinished finished)) return;
    if (finished.node().equals("notes")) return;
    System.out.println(finished.node() + " is done, in superstep " + event.origin().step());
    if (finished.node().equals("polish")) written.countDown();
  }

  /// Not done before the summary is.
  private static String drawn(CountDownLatch written) throws InterruptedException {
    written.await();
    return "[chart]";
  }
}
