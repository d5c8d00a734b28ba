package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import java.util.concurrent.atomic.AtomicInteger;

/// What a program does when a run ends without an answer: it goes on with what was begun, or gives
/// it up. The model is scripted, and down for a while.
public final class Recovery {
  record Order(int number) {}

  private static final Tool PAY =
      Tool.of(
              "pay",
              "Pays for an order.",
              Order.class,
              (order, context) -> {
                System.out.println("  paid order " + order.number());
                return "paid, key " + !context.idempotencyKey().isEmpty();
              })
          .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));

  private Recovery() {}

  static Agent<String> agent(ChatModel model) {
    return Agent.named("desk").model(model).tools(PAY).build();
  }

  /// Asks, after what an earlier question has left to do.
  static <A> AgentResult<A> ask(Agent<A> agent, String question, RunOptions thread)
      throws InterruptedException {
    if (agent.hasUnfinishedWork(thread)) {
      var before = agent.resume(Answers.none(), thread);
      boolean isOpen =
          before instanceof AgentResult.Waiting<A> || before instanceof AgentResult.Stopped<A>;
      if (isOpen) return before; // people, or whoever stopped it, come first
    }
    return agent.run(question, thread);
  }

  /// Asks, and lets go of what an earlier question has left to do.
  static <A> AgentResult<A> askAnew(Agent<A> agent, String question, RunOptions thread)
      throws InterruptedException {
    if (agent.hasUnfinishedWork(thread)) {
      var _ = agent.giveUp(thread);
    }
    return agent.run(question, thread);
  }

  public static void main(String[] args) throws InterruptedException {
    var store = new InMemoryCheckpointer();
    for (var thread : new String[] {"ann", "bob"}) {
      var options = RunOptions.thread(thread).checkpoints(store);
      var desk = agent(emptyAtTheSecondCall());
      System.out.println(thread);
      try {
        desk.run("Pay order 7.", options);
      } catch (ModelException e) {
        System.out.println("  " + e.getMessage());
      }
      var end =
          thread.equals("ann")
              ? ask(desk, "And now?", options)
              : askAnew(desk, "Never mind. What did you do?", options);
      for (var message : end.report().conversation()) {
        if (!message.text().isEmpty()) System.out.println("  | " + message.text());
      }
    }
  }

  private static ChatModel emptyAtTheSecondCall() {
    var calls = new AtomicInteger();
    return ScriptedModel.by(request ->
        switch (calls.incrementAndGet()) {
          case 1 -> ScriptedModel.calls(new ToolCall("c1", "pay", "{\"number\":7}"));
          case 2 -> throw new ModelException(ModelException.Kind.QUOTA, "The account is empty.");
          default -> ScriptedModel.text("Order 7 is paid.");
        });
  }
}
