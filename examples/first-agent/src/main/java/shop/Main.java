package shop;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.budget.Budget;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.run.Answers;
import dev.superstep.schema.Description;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import java.nio.file.Path;
import java.time.Duration;

/// Answers a customer of a shop. A refund needs the approval of a person.
public final class Main {
  record Order(@Description("the number on the receipt") int number) {}

  /// Pays money back. A second payment with an equal key has no effect.
  interface Bank {
    void pay(int order, String key) throws InterruptedException;
  }

  static Agent<String> agent(ChatModel model, Bank bank) {
    var lookUp =
        Tool.of(
                "look_up",
                "Finds an order.",
                Order.class,
                (order, _) -> {
                  IO.println("  looking up order " + order.number());
                  return "Order " + order.number() + ": a blue lamp, 30 EUR, delivered yesterday.";
                })
            .withPolicy(ToolPolicy.readOnly());
    var refund =
        Tool.of(
                "refund",
                "Pays an order back.",
                Order.class,
                (order, context) -> {
                  bank.pay(order.number(), context.idempotencyKey());
                  return "Paid back order " + order.number() + ".";
                })
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT).idempotent());
    return Agent.named("shop")
        .model(model)
        .instructions("You answer the customers of a shop. Look an order up before you refund it.")
        .tools(lookUp, refund)
        .gate(ToolGate.strict().confirming(SideEffect.PAYMENT))
        .budget(Budget.unlimited().totalTokens(50_000))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var model = System.getenv().getOrDefault("MODEL", "openai://gpt-5.2");
    var agent = agent(ModelProviders.open(ModelRef.parse(model)), Main::pay);
    try (var store = SqliteCheckpointer.open(Path.of("shop.db"))) {
      var thread =
          RunOptions.thread("ada")
              .checkpoints(store)
              .lease(Duration.ofSeconds(5))
              .waitForLease(Duration.ofSeconds(30));
      var result =
          agent.hasUnfinishedWork(thread)
              ? agent.resume(Answers.none(), thread)
              : agent.run(line("You: "), thread);
      while (result instanceof AgentResult.Waiting<String>(var questions)) {
        result = agent.resume(Review.decide(questions, Main::decision), thread);
      }
      IO.println("Shop: " + result.answer());
    }
  }

  private static void pay(int order, String key) throws InterruptedException {
    IO.println("  the bank works on refund " + key);
    Thread.sleep(Duration.ofSeconds(5)); // time enough to kill it
  }

  private static Review.Decision decision(Review.Action action) {
    var reply = line("May I call " + action.name() + " " + action.args() + "? (y/n) ");
    return "y".equals(reply)
        ? Review.Decision.approve()
        : Review.Decision.reject("A person said no.");
  }

  private static String line(String prompt) {
    var line = IO.readln(prompt);
    if (line == null) System.exit(1); // the end of the input is no answer: the question stays open
    return line;
  }
}
