package dev.superstep.bench.peer;

import static org.bsc.langgraph4j.StateGraph.END;
import static org.bsc.langgraph4j.StateGraph.START;
import static org.bsc.langgraph4j.action.AsyncNodeAction.node_async;


import dev.superstep.bench.measure.ColdStart;
import dev.superstep.bench.measure.Folder;
import java.util.List;
import java.util.Map;
import org.bsc.langgraph4j.RunnableConfig;
import org.bsc.langgraph4j.StateGraph;
import org.bsc.langgraph4j.state.AgentState;

/// W15: small programs that run once.
public final class SmallPrograms {
  private static final int SENDS = 100;

  private SmallPrograms() {}

  public static void main(String[] arguments) throws Exception {
    ColdStart.print(
        switch (arguments[0]) {
          case "one" -> () -> chain(1, "none");
          case "chain" -> () -> chain(10, "none");
          case "fanout" -> SmallPrograms::fanOut;
          default -> () -> chain(2, arguments[0]);
        });
    System.exit(0);
  }

  private static int chain(int nodes, String kind) throws Exception {
    try (var folder = Folder.fresh();
        var kept = LangGraph4jChild.Kept.open(kind, folder)) {
      var graph = new StateGraph<>(Map.of(), AgentState::new).addEdge(START, "n0");
      for (int i = 0; i < nodes; i++) {
        graph.addNode("n" + i, node_async(state -> Map.of("n", LangGraph4jChild.n(state) + 1)));
        graph.addEdge("n" + i, i + 1 < nodes ? "n" + (i + 1) : END);
      }
      var thread = RunnableConfig.builder().threadId("thread").build();
      var state = graph.compile(kept.config(nodes)).invoke(Map.of("n", 0), thread);
      return LangGraph4jChild.n(state.orElseThrow());
    }
  }

  private static int fanOut() throws Exception {
    var state = LangGraph4jChild.branches(SENDS).invoke(Map.of()).orElseThrow();
    return state.<List<String>>value("items").orElseThrow().size();
  }
}
