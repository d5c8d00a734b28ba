package dev.superstep.example.guide.cookbook;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import java.util.Map;

/// A model chooses the way of a request.
public final class Routed {
  enum Topic {
    BILL,
    DELIVERY
  }

  record Sorted(Topic topic) {}

  static final Channel<String, String> MAIL = Channel.latest("mail", String.class);
  static final Channel<Topic, Topic> TOPIC = Channel.latest("topic", Topic.class);
  static final Channel<String, String> REPLY = Channel.latest("reply", String.class);

  private Routed() {}

  static Graph graph(ChatModel model) {
    var sorter = Agent.named("sorter").model(model).answering(Sorted.class);
    return Graph.named("mails")
        .channels(MAIL, TOPIC, REPLY)
        .node("sort", sorter.asking(s -> s.get(MAIL), sorted -> Update.of(TOPIC, sorted.topic())))
        .node("pay", (_, _) -> Update.of(REPLY, "to the cashier"))
        .node("track", (_, _) -> Update.of(REPLY, "to the carrier"))
        .edge(START, "sort")
        .route(
            "sort",
            Topic.class,
            state -> state.get(TOPIC),
            Map.of(Topic.BILL, "pay", Topic.DELIVERY, "track"))
        .edge("pay", END)
        .edge("track", END)
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    var graph = graph(ScriptedModel.saying("{\"topic\":\"DELIVERY\"}"));
    if (graph.invoke(Input.of(MAIL, "Where is my parcel?")) instanceof Completed(var state)) {
      System.out.println(state.get(REPLY));
    }
  }
}
