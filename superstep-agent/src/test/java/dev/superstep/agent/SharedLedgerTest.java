package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.Review;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Ledger;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T53")
class SharedLedgerTest {
  record None() {}

  private static final Tool PAY = Tool.of("pay", "Pays.", None.class, (_, _) -> "paid");

  private static ChatReply calls(String tool, String arguments) {
    return ScriptedModel.calls(new ToolCall("c", tool, arguments));
  }

  private static RunOptions options(Ledger ledger) {
    return RunOptions.thread("t")
        .checkpoints(new InMemoryCheckpointer())
        .with(Agent.LEDGER, ledger);
  }

  @Test
  void spending_before_a_question_is_counted_once_when_the_run_resumes() throws Exception {
    var helper =
        Agent.named("helper")
            .model(ScriptedModel.replying(calls("pay", "{}"), ScriptedModel.text("Paid.")))
            .tools(PAY)
            .gate(ToolGate.open().confirming("pay"))
            .build();
    var model =
        ScriptedModel.replying(calls("helper", "{\"task\":\"Pay.\"}"), ScriptedModel.text("Done."));
    var agent = Agent.named("boss").model(model).agent(helper, "Pays.").build();
    var ledger = Ledger.of("all", Budget.unlimited().calls(4));
    var options = options(ledger);
    var waiting = (AgentResult.Waiting<String>) agent.run("Go.", options);
    assertThat(ledger.spent().calls()).isEqualTo(2);
    var approved = Review.Decisions.of(new Review.Decision.Approve());
    var answer = Review.QUESTION.answer(waiting.questions().getFirst(), approved);
    assertThat(agent.resume(Answers.none().and(answer), options).answer()).isEqualTo("Done.");
    assertThat(ledger.spent().calls()).isEqualTo(4);
  }

  @Test
  void a_budget_that_was_raised_holds_when_its_run_is_resumed() throws Exception {
    var model = ScriptedModel.replying(calls("pay", "{}"), ScriptedModel.text("Done."));
    var options = options(Ledger.of("all", Budget.unlimited().calls(10)));
    var agent = Agent.named("a").model(model).tools(PAY);
    var poor = agent.budget(Budget.unlimited().calls(1)).build();
    assertThatThrownBy(() -> poor.run("Go.", options)).isInstanceOf(BudgetExceeded.class);
    var rich = agent.budget(Budget.unlimited().calls(2)).build();
    assertThat(rich.resume(Answers.none(), options).answer()).isEqualTo("Done.");
  }
}
