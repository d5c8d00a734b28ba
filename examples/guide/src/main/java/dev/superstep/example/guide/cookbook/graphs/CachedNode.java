package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.InMemoryNodeCache;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.CachePolicy;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.List;

/// A node whose result is reused.
public final class CachedNode {
  static final Channel<String, String> CITY = Channel.latest("city", String.class);
  static final Channel<String, String> WEATHER = Channel.latest("weather", String.class);

  private CachedNode() {}

  static Graph graph() {
    var cached =
        NodePolicy.defaults()
            .cache(CachePolicy.by(s -> s.get(CITY)).version("1").ttl(Duration.ofHours(1)));
    return Graph.named("weather")
        .channels(CITY, WEATHER)
        .node("look", (state, _) -> Update.of(WEATHER, look(state.get(CITY))), cached)
        .edge(START, "look")
        .edge("look", END)
        .compile();
  }

  private static String look(String city) {
    System.out.println("looked at " + city);
    return "rain in " + city;
  }

  public static void main(String[] args) throws InterruptedException {
    var options = RunOptions.defaults().cache(InMemoryNodeCache.holding(10_000));
    for (var city : List.of("Bergen", "Oslo", "Bergen")) {
      if (graph().invoke(Input.of(CITY, city), options) instanceof Completed(var state)) {
        System.out.println(state.get(WEATHER));
      }
    }
  }
}
