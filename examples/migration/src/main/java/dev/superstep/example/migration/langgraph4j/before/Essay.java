package dev.superstep.example.migration.langgraph4j.before;

import static org.bsc.langgraph4j.StateGraph.END;
import static org.bsc.langgraph4j.StateGraph.START;
import static org.bsc.langgraph4j.action.AsyncEdgeAction.edge_async;
import static org.bsc.langgraph4j.action.AsyncNodeAction.node_async;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bsc.langgraph4j.GraphStateException;
import org.bsc.langgraph4j.StateGraph;
import org.bsc.langgraph4j.state.AgentState;
import org.bsc.langgraph4j.state.Channel;
import org.bsc.langgraph4j.state.Channels;

/// A draft that is written again until a critic is content.
public final class Essay {
  static final class Draft extends AgentState {
    static final Map<String, Channel<?>> SCHEMA =
        Map.of("log", Channels.appenderWithDuplicate(ArrayList::new));

    Draft(Map<String, Object> data) {
      super(data);
    }

    String text() {
      return this.<String>value("text").orElse("");
    }

    List<String> log() {
      return this.<List<String>>value("log").orElse(List.of());
    }
  }

  private Essay() {}

  private static Map<String, Object> write(Draft state) {
    var text = state.text() + "word ";
    return Map.of("text", text, "log", "wrote " + text.strip());
  }

  private static Map<String, Object> criticize(Draft state) {
    return Map.of("log", isLongEnough(state) ? "long enough" : "too short");
  }

  private static boolean isLongEnough(Draft state) {
    return state.text().strip().split(" ").length >= 3;
  }

  public static void main(String[] args) throws GraphStateException {
    var graph =
        new StateGraph<>(Draft.SCHEMA, Draft::new)
            .addNode("write", node_async(Essay::write))
            .addNode("criticize", node_async(Essay::criticize))
            .addEdge(START, "write")
            .addEdge("write", "criticize")
            .addConditionalEdges(
                "criticize",
                edge_async(state -> isLongEnough(state) ? "done" : "again"),
                Map.of("again", "write", "done", END))
            .compile();
    var state = graph.invoke(Map.of()).orElseThrow();
    state.log().forEach(System.out::println);
  }
}
