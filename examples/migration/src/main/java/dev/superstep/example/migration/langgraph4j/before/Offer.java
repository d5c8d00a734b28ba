package dev.superstep.example.migration.langgraph4j.before;

import static org.bsc.langgraph4j.StateGraph.END;
import static org.bsc.langgraph4j.StateGraph.START;
import static org.bsc.langgraph4j.action.AsyncNodeAction.node_async;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bsc.langgraph4j.GraphStateException;
import org.bsc.langgraph4j.StateGraph;
import org.bsc.langgraph4j.state.AgentState;
import org.bsc.langgraph4j.state.Channel;
import org.bsc.langgraph4j.state.Channels;

/// Two branches at once, a join, and a graph as a node.
public final class Offer {
  static final class Trip extends AgentState {
    static final Map<String, Channel<?>> SCHEMA =
        Map.of("offers", Channels.appender(ArrayList::new));

    Trip(Map<String, Object> data) {
      super(data);
    }

    List<String> offers() {
      return this.<List<String>>value("offers").orElse(List.of());
    }

    String text(String key) {
      return this.<String>value(key).orElse("");
    }
  }

  private Offer() {}

  private static StateGraph<Trip> letter() throws GraphStateException {
    return new StateGraph<>(Trip.SCHEMA, Trip::new)
        .addNode("greet", node_async(_ -> Map.of("letter", "Dear Ada,")))
        .addNode(
            "sign",
            node_async(state -> Map.of("letter", state.text("letter") + " " + state.text("best"))))
        .addEdge(START, "greet")
        .addEdge("greet", "sign")
        .addEdge("sign", END);
  }

  public static void main(String[] args) throws GraphStateException {
    var graph =
        new StateGraph<>(Trip.SCHEMA, Trip::new)
            .addNode("ask", node_async(state -> Map.of("city", "Bergen")))
            .addNode("train", node_async(state -> Map.of("offers", "80 by train")))
            .addNode("plane", node_async(state -> Map.of("offers", "60 by plane")))
            .addNode(
                "choose",
                node_async(state ->
                    Map.of("best", state.offers().stream().min(String::compareTo).orElseThrow())))
            .addNode("letter", letter().compile())
            .addEdge(START, "ask")
            .addEdge("ask", "train")
            .addEdge("ask", "plane")
            .addEdge("train", "choose")
            .addEdge("plane", "choose")
            .addEdge("choose", "letter")
            .addEdge("letter", END)
            .compile();
    var state = graph.invoke(Map.of()).orElseThrow();
    state.offers().forEach(System.out::println);
    System.out.println(state.text("letter"));
  }
}
