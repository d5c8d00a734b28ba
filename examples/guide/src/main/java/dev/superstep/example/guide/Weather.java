package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.schema.Description;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import java.util.List;

/// An agent with a tool, as a node of a graph. The model here is scripted, so that the program runs
/// anywhere; any other `ChatModel` takes its place.
public final class Weather {
  record City(@Description("the city's name in English") String name) {}

  static final Channel<List<Message>, Message> MESSAGES = Messages.channel("messages");
  static final Tool WEATHER =
      Tool.of(
          "get_weather",
          "Tells the weather of a city now.",
          City.class,
          (city, _) -> "18 degrees and rain in " + city.name());

  private Weather() {}

  static Graph graph(ChatModel model) {
    var agent =
        Agent.named("forecaster")
            .model(model)
            .instructions("Answer in one sentence.")
            .tools(WEATHER)
            .build();
    return Graph.named("weather")
        .channels(MESSAGES)
        .node("agent", agent.on(MESSAGES))
        .edge(START, "agent")
        .edge("agent", END)
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "get_weather", "{\"name\":\"Bergen\"}")),
            ScriptedModel.text("Take an umbrella."));
    var question = Input.of(MESSAGES, Message.user("How is Bergen?"));
    if (graph(model).invoke(question) instanceof Completed(var state)) {
      for (var message : state.get(MESSAGES)) System.out.println(show(message));
    }
  }

  private static String show(Message message) {
    return message.getClass().getSimpleName() + ": " + message.text();
  }
}
