package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.EffectConflict;
import dev.superstep.run.Answers;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What tools did outside does not happen again unnoticed after a rewind.
@Timeout(30)
class ToolEffectTest {
  record Order(int number) {}

  private final List<Integer> ordered = Collections.synchronizedList(new ArrayList<>());
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t").checkpoints(store);
  private int wanted = 1;
  private boolean isFailing;

  private Tool order() {
    return Tool.of(
        "order",
        "Orders.",
        Order.class,
        (order, _) -> {
          ordered.add(order.number());
          return isFailing ? ToolResult.error("no answer") : ToolResult.of("ordered " + wanted);
        });
  }

  private Agent<String> agent(Tool tool) {
    var model =
        ScriptedModel.by(request ->
            request.messages().getLast() instanceof ToolMessage told
                ? ScriptedModel.text("It said: " + told.text())
                : ScriptedModel.calls(new ToolCall("c1", "order", "{\"number\":" + wanted + "}")));
    return Agent.named("buyer").model(model).tools(tool).build();
  }

  private AgentResult<String> again(Agent<String> agent) throws InterruptedException {
    var first = Threads.in(store).history("t", Optional.empty(), 100).getLast().id();
    Threads.in(store).rewind("t", first);
    return agent.resume(Answers.none(), options);
  }

  private AgentResult<String> decide(
      Agent<String> agent, AgentResult<String> waiting, EffectConflict.Decision decision)
      throws InterruptedException {
    var question = ((AgentResult.Waiting<String>) waiting).questions().getFirst();
    assertThat(EffectConflict.QUESTION.read(question).effect()).isEqualTo("order");
    var answer = EffectConflict.QUESTION.answer(question, decision);
    return agent.resume(Answers.none().and(answer), options);
  }

  @Test
  void arguments_may_be_written_with_blanks() throws InterruptedException {
    var call = ScriptedModel.calls(new ToolCall("c1", "order", "{ \"number\" : 7 }"));
    var model = ScriptedModel.replying(call, ScriptedModel.text("Done."));
    var agent = Agent.named("buyer").model(model).tools(order()).build();
    assertThat(agent.run("Order.", options).answer()).isEqualTo("Done.");
    assertThat(ordered).containsExactly(7);
  }

  @Test
  void a_tool_that_says_nothing_about_itself_is_not_called_twice() throws InterruptedException {
    var agent = agent(order());
    agent.run("Order.", options);
    assertThat(again(agent).answer()).isEqualTo("It said: ordered 1");
    assertThat(ordered).containsExactly(1);
  }

  @Test
  void a_call_that_is_worded_anew_waits_for_a_person() throws InterruptedException {
    var agent = agent(order().withPolicy(ToolPolicy.of(SideEffect.PAYMENT)));
    agent.run("Order.", options);
    wanted = 2;
    var waiting = again(agent);
    assertThat(ordered).containsExactly(1);
    var refuse = new EffectConflict.Decision.Refuse(Optional.of("It was ordered."));
    assertThat(decide(agent, waiting, refuse).answer())
        .contains("Effect `order` was refused by a person: It was ordered.");
    assertThat(ordered).containsExactly(1);
    var perform = new EffectConflict.Decision.Perform();
    assertThat(decide(agent, again(agent), perform).answer()).isEqualTo("It said: ordered 2");
    assertThat(ordered).containsExactly(1, 2);
  }

  @Test
  void a_call_that_failed_may_have_happened() throws InterruptedException {
    isFailing = true;
    var agent = agent(order());
    agent.run("Order.", options);
    isFailing = false;
    var waiting = again(agent);
    assertThat(waiting).isInstanceOf(AgentResult.Waiting.class);
    assertThat(ordered).containsExactly(1);
    decide(agent, waiting, new EffectConflict.Decision.Perform());
    assertThat(ordered).containsExactly(1, 1);
  }

  @Test
  void a_tool_that_can_be_undone_is_undone() throws InterruptedException {
    var undone = new ArrayList<String>();
    var agent =
        agent(
            order()
                .withUndo((arguments, result) -> {
                  ordered.remove((Integer) arguments.as(Order.class).number());
                  undone.add(result);
                }));
    agent.run("Order.", options);
    wanted = 2;
    assertThat(again(agent).answer()).isEqualTo("It said: ordered 2");
    assertThat(ordered).containsExactly(2);
    assertThat(undone).containsExactly("ordered 1");
  }

  @Test
  void a_tool_that_changes_nothing_or_nothing_more_is_called_again() throws InterruptedException {
    for (var policy :
        List.of(ToolPolicy.readOnly(), ToolPolicy.of(SideEffect.NETWORK).idempotent())) {
      Threads.in(store).delete("t");
      ordered.clear();
      var agent = agent(order().withPolicy(policy));
      agent.run("Order.", options);
      assertThat(again(agent)).isInstanceOf(AgentResult.Answered.class);
      assertThat(ordered).containsExactly(1, 1);
    }
  }
}
