package dev.superstep.store.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.goal.AgentWork;
import dev.superstep.goal.Goal;
import dev.superstep.goal.GoalBudget;
import dev.superstep.goal.GoalLoop;
import dev.superstep.goal.GoalStatus;
import dev.superstep.goal.GoalTools;
import dev.superstep.goal.Goals;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A goal outlives the process that works on it: every step here opens the file anew.
@Tag("T107")
final class GoalOnSqliteTest {
  private static final ChatReply REACHED =
      calls(new ToolCall("g", "goal_complete", "{\"result\":\"both paid\"}"));

  @TempDir Path folder;

  private final AtomicInteger paid = new AtomicInteger();

  record None() {}

  /// A reply that takes 10 tokens for the prompt and 5 for the answer.
  private static ChatReply calls(ToolCall... calls) {
    var message = new AssistantMessage("", "", List.of(calls));
    return ScriptedModel.reply(message, new Usage(10, 0, 5, 0), ChatReply.Finish.TOOL_CALLS);
  }

  private static ChatReply says(String text) {
    var message = new AssistantMessage("", text, List.of());
    return ScriptedModel.reply(message, new Usage(10, 0, 5, 0), ChatReply.Finish.STOP);
  }

  private static ChatReply pays(String id) {
    return calls(new ToolCall(id, "pay", "{}"));
  }

  private interface With<T> {
    T goals(Goals goals) throws Exception;
  }

  private <T> T inNewProcess(With<T> body) throws Exception {
    try (var store = SqliteStore.open(folder.resolve("goals.db"))) {
      return body.goals(Goals.in(store));
    }
  }

  /// Works with what a model is told to say, and nothing of what was before.
  private Goal work(ChatReply... script) throws Exception {
    return inNewProcess(goals -> {
      try (var threads = SqliteCheckpointer.open(folder.resolve("goals.db"))) {
        var pay = Tool.of("pay", "Pays.", None.class, (_, _) -> "paid " + paid.incrementAndGet());
        var agent =
            Agent.named("clerk")
                .model(ScriptedModel.replying(script))
                .tools(GoalTools.of(goals))
                .tools(pay)
                .build();
        var work = AgentWork.of(agent, thread -> RunOptions.thread(thread).checkpoints(threads));
        return GoalLoop.of(goals, work).run("ann");
      }
    });
  }

  @Test
  void a_goal_is_limited_raised_and_resumed_in_new_processes() throws Exception {
    inNewProcess(goals -> goals.set("ann", "Pay both.", GoalBudget.unlimited().calls(2)));
    var limited = work(pays("c1"), says("One is paid."));
    assertThat(limited.status()).isEqualTo(GoalStatus.BUDGET_LIMITED);
    assertThat(limited.spent().calls()).isEqualTo(2);
    assertThat(work().status()).as("it stays so").isEqualTo(GoalStatus.BUDGET_LIMITED);
    inNewProcess(goals -> goals.raise("ann", GoalBudget.unlimited().calls(5)));
    inNewProcess(goals -> goals.resume("ann"));
    var goal = work(pays("c2"), REACHED, says("Done."));
    assertThat(goal.status()).isEqualTo(GoalStatus.COMPLETE);
    assertThat(goal.note()).isEqualTo("both paid");
    assertThat(goal.turns()).isEqualTo(2);
    assertThat(goal.spent().usage().total()).isEqualTo(75);
    assertThat(paid).hasValue(2);
    var kept = inNewProcess(goals -> goals.get("ann"));
    assertThat(kept).isEqualTo(goal);
  }

  @Test
  void an_aborted_turn_resumes_in_a_new_process_and_pays_nothing_twice() throws Exception {
    inNewProcess(goals -> goals.set("ann", "Pay.", GoalBudget.unlimited()));
    assertThatThrownBy(() -> work(pays("c1"))).isInstanceOf(ModelException.class);
    var open = inNewProcess(goals -> goals.get("ann"));
    assertThat(open.isOpen()).isTrue();
    assertThat(open.status()).isEqualTo(GoalStatus.ACTIVE);
    var goal = work(REACHED, says("Done."));
    assertThat(goal.status()).isEqualTo(GoalStatus.COMPLETE);
    assertThat(goal.turns()).isEqualTo(1);
    assertThat(goal.spent().usage().total()).isEqualTo(45);
    assertThat(paid).hasValue(1);
  }

  @Test
  void a_goal_paused_by_another_process_gets_no_further_turn() throws Exception {
    inNewProcess(goals -> goals.set("ann", "Pay.", GoalBudget.unlimited()));
    inNewProcess(goals -> goals.pause("ann", "not today"));
    var paused = work(pays("c1"));
    assertThat(paused.status()).isEqualTo(GoalStatus.PAUSED);
    assertThat(paused.turns()).isZero();
    assertThat(paid).hasValue(0);
    inNewProcess(goals -> goals.resume("ann"));
    assertThat(work(REACHED, says("Done.")).status()).isEqualTo(GoalStatus.COMPLETE);
  }
}
