package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Prices;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ScriptedModel;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CostTest {
  @Test
  @Tag("T121")
  void the_cost_of_a_call_is_published_if_the_budget_is_in_money() throws InterruptedException {
    Prices prices = (_, _) -> Optional.of(new BigDecimal("0.02"));
    var told = new ArrayList<AgentEvent>();
    var options = RunOptions.defaults().listener(AgentEvent.listener(told::add));
    var agent =
        Agent.named("a")
            .model(ScriptedModel.saying("Hello."))
            .budget(Budget.unlimited().money("1", "USD", prices))
            .build();
    var result = agent.run("Hi.", options);
    assertThat(result.report().spent().cost()).isEqualByComparingTo("0.02");
    var cost = Optional.of(new BigDecimal("0.02"));
    assertThat(told).contains(new AgentEvent.CostRecorded("a", "scripted://test", cost, "USD"));
  }
}
