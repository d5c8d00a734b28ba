package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Ledger;
import dev.superstep.budget.Prices;
import dev.superstep.catalog.ModelCatalog;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// A budget in money for each question, and one for all questions of a user. The model is scripted
/// and says that it used 1,000 tokens for each prompt and 500 for each answer.
public final class Spending {
  /// Ten dollars for a million tokens.
  private static final Prices TEN =
      (_, usage) -> Optional.of(BigDecimal.valueOf(usage.total(), 5).stripTrailingZeros());

  private Spending() {}

  static Agent<String> priced(ChatModel model) {
    var prices = Prices.of(ModelCatalog.shipped(), "USD", InstantSource.system());
    return Agent.named("priced")
        .model(model)
        .budget(Budget.unlimited().money("0.50", "USD", prices))
        .request(request -> request.withMaxTokens(4_000))
        .build();
  }

  private static Agent<String> greeter(ScriptedModel model) {
    return Agent.named("teller")
        .model(model)
        .budget(Budget.unlimited().money("0.05", "USD", TEN))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var model = ScriptedModel.replying(reply("One."), reply("Two."), reply("Three."));
    var teller = greeter(model);
    var ann = Ledger.of("ann", Budget.unlimited().money("0.03", "USD", TEN));
    var options = RunOptions.defaults().with(Agent.LEDGER, ann);
    try {
      for (int question = 1; question <= 3; question++) {
        System.out.println(teller.run("Question " + question, options).answer());
        System.out.println("  held to " + model.requests().getLast().maxTokens().orElse(0));
        System.out.println("  spent " + ann.spent().cost());
      }
    } catch (BudgetExceeded e) {
      System.out.println(e.getMessage());
    }
  }

  private static ChatReply reply(String text) {
    var message = new AssistantMessage("", text, List.of());
    return ScriptedModel.reply(message, new Usage(1_000, 0, 500, 0), ChatReply.Finish.STOP);
  }
}
