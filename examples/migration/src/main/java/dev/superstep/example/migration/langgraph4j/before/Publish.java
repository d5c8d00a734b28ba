package dev.superstep.example.migration.langgraph4j.before;

import static org.bsc.langgraph4j.StateGraph.END;
import static org.bsc.langgraph4j.StateGraph.START;
import static org.bsc.langgraph4j.action.AsyncNodeAction.node_async;

import java.nio.file.Path;
import java.util.Map;
import org.bsc.langgraph4j.CompileConfig;
import org.bsc.langgraph4j.GraphInput;
import org.bsc.langgraph4j.RunnableConfig;
import org.bsc.langgraph4j.StateGraph;
import org.bsc.langgraph4j.checkpoint.FileSystemSaver;
import org.bsc.langgraph4j.state.AgentState;

/// A text that waits for its editor: kill it while it waits, and start it again.
public final class Publish {
  private Publish() {}

  private static Map<String, Object> draft(AgentState state) {
    System.out.println("drafting");
    return Map.of("text", "Whales sing.");
  }

  private static Map<String, Object> publish(AgentState state) {
    var title = state.<String>value("title").orElseThrow();
    return Map.of("page", title + ": " + state.<String>value("text").orElseThrow());
  }

  private static StateGraph<AgentState> graph() throws Exception {
    return new StateGraph<>(AgentState::new)
        .addNode("draft", node_async(Publish::draft))
        .addNode("publish", node_async(Publish::publish))
        .addEdge(START, "draft")
        .addEdge("draft", "publish")
        .addEdge("publish", END);
  }

  public static void main(String[] args) throws Exception {
    var graph = graph();
    var saver = new FileSystemSaver(Path.of(args[0]), graph.getStateSerializer());
    var compiled =
        graph.compile(
            CompileConfig.builder().checkpointSaver(saver).interruptBefore("publish").build());
    var thread = RunnableConfig.builder().threadId("whales").build();
    if (compiled.stateOf(thread).isEmpty()) {
      var _ = compiled.invoke(Map.of("author", "Ada"), thread);
    }
    var waiting = compiled.getState(thread);
    System.out.println("before " + waiting.next() + ": which title?");
    var edited = compiled.updateState(thread, Map.of("title", IO.readln()));
    var state = compiled.invoke(GraphInput.resume(), edited).orElseThrow();
    System.out.println(state.<String>value("page").orElseThrow());
  }
}
