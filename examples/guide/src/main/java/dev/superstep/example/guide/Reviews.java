package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.agent.run.Review.Decision;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolGate;
import java.util.Optional;

/// What may be decided of a tool call, in Java and as JSON. The model is scripted.
public final class Reviews {
  static final Decision NO = new Decision.Reject(Optional.of("Ask for the receipt first."));
  static final Decision OTHER =
      new Decision.Edit(new Review.Edited("refund", Json.parse("{\"number\":18}")));
  static final Decision BY_HAND = new Decision.Respond("Paid back by hand.");

  private Reviews() {}

  private static Agent<String> desk() {
    var call = ScriptedModel.calls(new ToolCall("c1", "refund", "{\"number\":17}"));
    return Agent.named("desk")
        .model(
            ScriptedModel.by(request ->
                request.messages().size() == 1
                    ? call
                    : ScriptedModel.text("So: " + request.messages().getLast().text())))
        .tools(Refunds.REFUND)
        .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
        .build();
  }

  private static void show(RunOptions options) throws InterruptedException {
    if (desk().run("Pay me back.", options) instanceof AgentResult.Waiting<String>(var questions)) {
      var question = questions.getFirst(); // its id and payload go to a browser
      System.out.println(question.payload());
      var body = "{\"decisions\":[{\"type\":\"reject\",\"message\":\"Not today.\"}]}";
      var answers = Answers.json(question.id(), Json.parse(body)); // what comes back from there
      System.out.println(desk().resume(answers, options).answer());
    }
  }

  public static void main(String[] args) throws InterruptedException {
    var store = new InMemoryCheckpointer();
    show(RunOptions.thread("json").checkpoints(store));
    for (var decision : new Decision[] {NO, OTHER, BY_HAND}) {
      var options = RunOptions.thread(decision.getClass().getSimpleName()).checkpoints(store);
      desk().run("Pay me back.", options);
      var answers = Answers.to(Review.QUESTION, Review.Decisions.of(decision));
      System.out.println(desk().resume(answers, options).answer());
    }
  }
}
