package dev.superstep.example.guide.operations;

import dev.superstep.a2a.client.A2aAgent;
import dev.superstep.a2a.client.A2aAnswer;
import dev.superstep.a2a.server.A2aServer;
import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.state.Channel;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import java.io.IOException;
import java.net.URI;

/// An agent that is served by A2A, and a graph that gives it work. Its model is scripted.
public final class DeskOverA2a {
  record Order(int number) {}

  static final Channel<String, String> REQUEST = Channel.latest("request", String.class);
  static final Channel<String, String> ANSWER = Channel.latest("answer", String.class);

  private DeskOverA2a() {}

  static AgentServer serve(ChatModel model) throws IOException {
    var refund =
        Tool.of("refund", "Refunds an order.", Order.class, (order, _) -> "refunded")
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));
    var desk =
        Agent.named("desk")
            .model(model)
            .tools(refund)
            .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
            .build();
    return AgentServer.on(new InMemoryCheckpointer(), InMemoryServiceStore.open())
        .serving(ServedGraph.of(desk.graph()).describedAs("Refunds orders"))
        .extension(A2aServer.protocol())
        .start(0);
  }

  static Graph office(URI address) {
    var desk = A2aAgent.at(address);
    return Graph.named("office")
        .channels(REQUEST, ANSWER)
        .questions(A2aAgent.QUESTION)
        .node(
            "desk",
            desk.node(state -> state.get(REQUEST), result -> Update.of(ANSWER, result.text())))
        .sequence(Graph.START, "desk", Graph.END)
        .compile();
  }

  public static void main(String[] args) throws Exception {
    var call = ScriptedModel.calls(new ToolCall("c1", "refund", "{\"number\": 7}"));
    var model = ScriptedModel.replying(call, ScriptedModel.text("Order 7 is refunded."));
    try (var server = serve(model)) {
      var office = office(server.address().resolve("/a2a/desk"));
      var options = RunOptions.thread("t1").checkpoints(new InMemoryCheckpointer());
      var request = Input.of(REQUEST, "Refund order 7.");
      var asked = (Outcome.Interrupted) office.invoke(request, options);
      var question = asked.questions().getFirst();
      System.out.println(A2aAgent.QUESTION.read(question).text());
      var yes = A2aAgent.QUESTION.answer(question, A2aAnswer.of("approve"));
      var done = (Outcome.Completed) office.resume(Answers.none().and(yes), options);
      System.out.println(done.state().get(ANSWER));
    }
  }
}
