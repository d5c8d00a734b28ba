package dev.superstep.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.tool.GateDecision;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.Tools;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// Flows that models call.
class FlowToolTest {
  record Order(int cents) {}

  record Checked(int cents) {}

  record Ask(int cents) {}

  record Allowed(boolean yes) {}

  record Paid(String text) {}

  record None() {}

  private final List<String> done = new CopyOnWriteArrayList<>();

  private Flow<Order, Paid> paying() {
    return Flow.named("paying", Order.class, Paid.class)
        .work(
            Order.class,
            Ask.class,
            (order, _) -> {
              done.add("checked " + order.cents());
              return new Ask(order.cents());
            })
        .suspend(Ask.class, Allowed.class)
        .map(Allowed.class, Paid.class, a -> new Paid(a.yes() ? "paid" : "refused"))
        .build();
  }

  private static ScriptedModel calling(ToolCall... calls) {
    return ScriptedModel.replying(ScriptedModel.calls(calls), ScriptedModel.text("Done."));
  }

  @Test
  void an_agent_waits_for_the_answers_of_its_flow_and_repeats_nothing()
      throws InterruptedException {
    var model =
        calling(
            new ToolCall("c1", "pay", "{\"cents\":5}"), new ToolCall("c2", "pay", "{\"cents\":7}"));
    var agent = Agent.named("desk").model(model).tools(paying().asTool("pay", "Pays.")).build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var waiting = (AgentResult.Waiting<String>) agent.run("Pay both.", options);
    assertThat(waiting.questions()).hasSize(2);
    assertThat(done).containsExactlyInAnyOrder("checked 5", "checked 7");
    var answers =
        Answers.of(waiting.questions().get(0).id(), new Allowed(true))
            .and(Answers.of(waiting.questions().get(1).id(), new Allowed(false)));
    assertThat(agent.resume(answers, options).answer()).isEqualTo("Done.");
    assertThat(done).hasSize(2);
    var said = model.requests().getLast().messages();
    assertThat(said.get(said.size() - 2).text()).isEqualTo("{\"text\":\"paid\"}");
    assertThat(said.getLast().text()).isEqualTo("{\"text\":\"refused\"}");
  }

  @Test
  void arguments_that_do_not_fit_never_reach_the_flow() throws InterruptedException {
    var model = calling(new ToolCall("c1", "pay", "{\"cents\":\"much\"}"));
    var agent = Agent.named("desk").model(model).tools(paying().asTool("pay", "Pays.")).build();
    assertThat(agent.run("Pay.").answer()).isEqualTo("Done.");
    assertThat(done).isEmpty();
    assertThat(model.requests().getLast().messages().getLast().text()).contains("cents");
  }

  @Test
  void outside_of_agents_a_flow_runs_by_itself() throws InterruptedException {
    var flow = Flow.of("double", Order.class, Checked.class, (o, _) -> new Checked(2 * o.cents()));
    var tools = Tools.of(flow.asTool("double", "Doubles."));
    var messages = ToolBatch.of(tools).run(List.of(new ToolCall("c", "double", "{\"cents\":4}")));
    assertThat(messages.getFirst().text()).isEqualTo("{\"cents\":8}");
  }

  @Test
  void agents_in_a_flow_may_do_no_more_than_the_agent_that_calls_it() throws InterruptedException {
    var wipe =
        Tool.of(
            "wipe",
            "Wipes.",
            None.class,
            (_, _) -> {
              done.add("wiped");
              return "wiped";
            });
    var inner =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("i1", "wipe", "{}")),
            ScriptedModel.text("{\"text\":\"ok\"}"));
    var flow =
        Flow.named("clean", Order.class, Paid.class)
            .agent(
                Order.class,
                Paid.class,
                Agent.named("cleaner").model(inner).tools(wipe).answering(Paid.class))
            .build();
    var gate =
        ToolGate.open()
            .and((tool, _) ->
                tool.name().equals("wipe") ? new GateDecision.Deny("No.") : GateDecision.allow());
    var agent =
        Agent.named("desk")
            .model(calling(new ToolCall("c1", "clean", "{\"cents\":1}")))
            .tools(flow.asTool("clean", "Cleans."))
            .gate(gate)
            .build();
    assertThat(agent.run("Clean.").answer()).isEqualTo("Done.");
    assertThat(done).isEmpty();
    assertThat(inner.requests()).hasSize(2);
  }
}
