package dev.superstep.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.StepLimitReached;
import dev.superstep.event.Detail;
import dev.superstep.event.Explanation;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TeamTest {
  private static ToolCall transfer(String to) {
    return new ToolCall("t-" + to, "transfer_to_" + to, "{}");
  }

  private static State state(Outcome outcome) {
    return ((Outcome.Completed) outcome).state();
  }

  @Test
  void a_swarm_hands_the_conversation_off_and_remembers_its_active_agent()
      throws InterruptedException {
    var sales =
        ScriptedModel.replying(
            ScriptedModel.calls(transfer("support")), ScriptedModel.text("never"));
    var support = ScriptedModel.saying("Turn it off.", "And on.");
    var desk =
        Swarm.named("desk")
            .member(Agent.named("sales").model(sales), "Sells.")
            .member(Agent.named("support").model(support), "Helps.")
            .graph();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var why = new Explanation();
    var explained = options.listener(why, Detail.ROUTES);
    var first = state(desk.invoke(Swarm.input("It is broken."), explained));
    assertThat(why.text()).contains("sales", "support");
    assertThat(first.get(Swarm.ACTIVE)).isEqualTo("support");
    assertThat(first.get(Swarm.MESSAGES))
        .extracting(Message::text)
        .containsExactly("It is broken.", "", "Transferred to support.", "Turn it off.");
    var second = state(desk.invoke(Swarm.input("And now?"), options));
    assertThat(second.get(Swarm.MESSAGES).getLast().text()).isEqualTo("And on.");
    assertThat(sales.calls()).isEqualTo(1);
    assertThat(desk.topology().nodes()).hasSize(2);
  }

  @Test
  void a_swarm_that_hands_on_for_ever_ends_at_its_limit() {
    var here = ScriptedModel.by(_ -> ScriptedModel.calls(transfer("there")));
    var there = ScriptedModel.by(_ -> ScriptedModel.calls(transfer("here")));
    var ring =
        Swarm.named("ring")
            .member(Agent.named("here").model(here), "Here.")
            .member(Agent.named("there").model(there), "There.")
            .handoffs(5)
            .graph();
    assertThatThrownBy(() -> ring.invoke(Swarm.input("Go."), RunOptions.defaults()))
        .isInstanceOf(StepLimitReached.class);
    assertThat(here.calls() + there.calls()).isEqualTo(6);
  }

  @Test
  void planned_work_is_done_again_with_the_notes_of_the_review() throws InterruptedException {
    var planner = Agent.named("planner").model(ScriptedModel.saying("1. Write.")).build();
    var writes = ScriptedModel.saying("Draft.", "Better draft.");
    var worker = Agent.named("writer").model(writes).build();
    var reviewer =
        Agent.named("critic")
            .model(
                ScriptedModel.saying(
                    "{\"passed\":false,\"notes\":\"Too short.\"}",
                    "{\"passed\":true,\"notes\":\"\"}"))
            .answering(PlannedWork.Judgement.class);
    var graph = PlannedWork.named("essay", planner, worker, reviewer).graph();
    var told = new ArrayList<String>();
    var options =
        RunOptions.defaults()
            .listener(event -> {
              if (event instanceof dev.superstep.event.Event.StepStarted started) {
                told.addAll(started.nodes());
              }
            });
    var end = state(graph.invoke(Input.of(PlannedWork.TASK, "On snow."), options));
    assertThat(end.get(PlannedWork.WORK)).isEqualTo("Better draft.");
    assertThat(end.get(PlannedWork.JUDGEMENTS)).hasSize(2);
    assertThat(writes.requests().getLast().messages().getLast().text())
        .contains("On snow.", "1. Write.", "Draft.", "Too short.");
    assertThat(told).contains("plan", "work", "review");
  }

  @Test
  void one_agent_processes_many_items_and_answers_keep_their_order() throws InterruptedException {
    var model = ScriptedModel.by(r -> ScriptedModel.text("re " + r.messages().getLast().text()));
    var agent = Agent.named("echo").model(model).build();
    var over = MapOver.of("all", agent, String.class, item -> "item " + item, String.class);
    var items = new ArrayList<String>();
    for (int i = 0; i < 20; i++) items.add("" + i);
    var end = state(over.graph().invoke(Input.all(over.items(), items)));
    assertThat(end.get(over.answers()))
        .isEqualTo(items.stream().map(item -> "re item " + item).toList());
  }

  @Test
  void a_supervisor_is_an_agent_with_agents() throws InterruptedException {
    var maths = Agent.named("maths").model(ScriptedModel.saying("4")).build();
    var poems = Agent.named("poems").model(ScriptedModel.saying("Snow falls.")).build();
    var boss =
        Agent.named("boss")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(new ToolCall("1", "maths", "{\"task\":\"2+2\"}")),
                    ScriptedModel.calls(new ToolCall("2", "poems", "{\"task\":\"snow\"}")),
                    ScriptedModel.text("4, and snow falls.")))
            .agent(maths, "Calculates.")
            .agent(poems, "Writes.")
            .build();
    AgentResult<String> result = boss.run("Both.");
    assertThat(result.answer()).isEqualTo("4, and snow falls.");
    assertThat(boss.graph().topology().nodes().toString()).contains("agent-maths", "agent-poems");
  }
}
