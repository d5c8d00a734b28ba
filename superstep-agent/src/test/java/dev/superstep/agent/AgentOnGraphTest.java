package dev.superstep.agent;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Graph;
import dev.superstep.graph.Input;
import dev.superstep.graph.Outcome;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.Tools;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AgentOnGraphTest {
  record City(String name) {}

  private static final Channel<List<Message>, Message> MESSAGES = Messages.channel("messages");

  @Test
  void an_agent_is_one_node() throws InterruptedException {
    var graph =
        Graph.named("one")
            .channels(MESSAGES)
            .node("agent", agent().on(MESSAGES))
            .edge(START, "agent")
            .edge("agent", END)
            .compile();
    check(graph);
  }

  @Test
  void its_two_steps_may_be_nodes_of_their_own() throws InterruptedException {
    var agent = agent();
    var graph =
        Graph.named("two")
            .channels(MESSAGES)
            .node("model", agent.modelCall().on(MESSAGES))
            .node("tools", agent.toolBatch().on(MESSAGES))
            .edge(START, "model")
            .route(
                "model",
                state -> Messages.openCalls(state.get(MESSAGES)).isEmpty() ? END : "tools",
                "tools",
                END)
            .edge("tools", "model")
            .compile();
    check(graph);
  }

  private static Agent agent() {
    var call = new ToolCall("c1", "look", "{\"name\":\"Oslo\"}");
    var model =
        ScriptedModel.replying(ScriptedModel.calls(call), ScriptedModel.text("Sun in Oslo."));
    var look = Tool.of("look", "Looks.", City.class, (city, _) -> "sun in " + city.name());
    return Agent.named("weather").model(model).tools(Tools.of(look)).build();
  }

  private static void check(Graph graph) throws InterruptedException {
    var outcome = graph.invoke(Input.of(MESSAGES, Message.user("Weather?")));
    assertThat(outcome).isInstanceOf(Outcome.Completed.class);
    var messages = ((Outcome.Completed) outcome).state().get(MESSAGES);
    assertThat(messages)
        .extracting(Message::text)
        .containsExactly("Weather?", "", "sun in Oslo", "Sun in Oslo.");
    assertThat(messages).extracting(Message::id).doesNotContain("").doesNotHaveDuplicates();
  }
}
