package dev.superstep.example.guide.cookbook;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Prices;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/// The cost of a run, and of each of its calls.
public final class Costs {
  private Costs() {}

  static Agent<String> agent(ChatModel model, Prices prices) {
    return Agent.named("teller")
        .model(model)
        .budget(Budget.unlimited().money("1.00", "USD", prices))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    // For a model of a vendor: Prices.of(ModelCatalog.shipped(), "USD", InstantSource.system())
    Prices ten = (_, usage) -> Optional.of(BigDecimal.valueOf(usage.total(), 5));
    var message = new AssistantMessage("", "A thousand words.", List.of());
    var used = new Usage(1_000, 0, 500, 0);
    var model = ScriptedModel.replying(ScriptedModel.reply(message, used, Finish.STOP));
    var options = RunOptions.defaults().listener(AgentEvent.listener(Costs::print));
    var report = agent(model, ten).run("Tell me about whales.", options).report();
    System.out.println(report.usage().total() + " tokens, " + report.spent().cost() + " USD");
  }

  private static void print(AgentEvent event) {
    if (event instanceof AgentEvent.CostRecorded e) {
      System.out.println(e.agent() + ": " + e.cost().orElseThrow() + " " + e.currency());
    }
  }
}
