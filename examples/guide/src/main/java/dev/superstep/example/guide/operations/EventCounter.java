package dev.superstep.example.guide.operations;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.event.Event;
import dev.superstep.event.EventListener;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// Counts the events of runs by their type. Safe for many threads: one listener may hear several
/// runs at once.
public final class EventCounter implements EventListener {
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();

  @Override
  public void on(Event event) {
    counts.merge(event.getClass().getSimpleName(), 1, Integer::sum);
  }

  /// What was heard so far, by name.
  public Map<String, Integer> counts() {
    return new TreeMap<>(counts);
  }

  /// Listens to a run of one node.
  public static void main(String[] arguments) throws InterruptedException {
    var graph =
        Graph.named("g")
            .node("a", (_, _) -> NodeResult.nothing())
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var counter = new EventCounter();
    graph.invoke(Input.none(), RunOptions.defaults().listener(counter));
    System.out.println(counter.counts());
  }
}
