package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.store.jdbc.GrowthCase.Reach.ONCE;
import static dev.superstep.store.jdbc.GrowthCase.Reach.RUNS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.NodeResult;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.List;

/// Agents that talk much or call many tools, and graphs that are made.
final class AgentGrowth {
  private record Note(String text) {}

  private AgentGrowth() {}

  static List<GrowthCase> cases() {
    return List.of(
        new GrowthCase(
            "tool calls of one reply", RUNS, 512, 4_096, (place, n) -> asks(place, n, n)),
        new GrowthCase("turns of an agent", RUNS, 128, 512, (place, n) -> asks(place, n, 1)),
        new GrowthCase("nodes compiled", ONCE, 2_048, 16_384, (_, n) -> () -> compiled(n)));
  }

  private static ChatReply calls(int from, int many) {
    var calls = new ArrayList<ToolCall>();
    for (int i = from; i < from + many; i++) {
      calls.add(new ToolCall("c" + i, "note", "{\"text\":\"" + i + "\"}"));
    }
    return ScriptedModel.calls(calls.toArray(ToolCall[]::new));
  }

  /// @param each how many calls a reply has
  private static GrowthCase.Work asks(GrowthPlace place, int calls, int each) {
    var replies = new ArrayList<ChatReply>();
    for (int from = 0; from < calls; from += each) replies.add(calls(from, each));
    replies.add(ScriptedModel.text("Done."));
    var agent =
        Agent.named("clerk")
            .model(ScriptedModel.replying(replies))
            .tools(Tool.of("note", "Notes.", Note.class, (note, _) -> note.text()))
            .modelCalls(calls + 2)
            .toolCalls(calls + 2)
            .build();
    return () -> assertThat(agent.run("Go.", place.options()).answer()).isEqualTo("Done.");
  }

  private static void compiled(int nodes) {
    var builder = Graph.named("growing");
    for (int i = 0; i < nodes; i++) {
      builder
          .node("n" + i, (_, _) -> NodeResult.nothing())
          .edge(i == 0 ? START : "n" + (i - 1), "n" + i);
    }
    assertThat(builder.edge("n" + (nodes - 1), END).compile()).isNotNull();
  }
}
