package dev.superstep.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.run.Answers;
import dev.superstep.tool.GateDecision;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import dev.superstep.tool.Tools;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// No way to a tool leads around the gate.
@Timeout(30)
@Tag("T66")
class GatesTest {
  record Path(String path) {}

  record Asked(String task) {}

  record Done(String text) {}

  private static final ToolGate NO_ERASE = ToolGate.open().without("erase");

  private final List<String> done = Collections.synchronizedList(new ArrayList<>());

  private Tool tool(String name) {
    return Tool.of(
        name,
        "Does it.",
        Path.class,
        (given, _) -> {
          done.add(name + " " + given.path());
          return "done";
        });
  }

  private static ToolCall call(String tool, String path) {
    return new ToolCall("c1", tool, "{\"path\":\"" + path + "\"}");
  }

  private static ScriptedModel calling(ToolCall call) {
    return ScriptedModel.replying(ScriptedModel.calls(call), ScriptedModel.text("Done."));
  }

  private Agent<String> child() {
    return Agent.named("child").model(calling(call("erase", "all"))).tools(tool("erase")).build();
  }

  private static ToolCall task(String tool) {
    return new ToolCall("c1", tool, "{\"task\":\"work\"}");
  }

  private static Middleware before(UnaryOperator<ToolCall> change) {
    return new Middleware() {
      @Override
      public ToolCall beforeTool(ToolCall call, AgentContext context) {
        return change.apply(call);
      }
    };
  }

  private static Middleware around(UnaryOperator<ToolCall> change) {
    return new Middleware() {
      @Override
      public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
          throws Exception {
        return next.call(change.apply(call));
      }
    };
  }

  private static List<Middleware> both(UnaryOperator<ToolCall> change) {
    return List.of(before(change), around(change));
  }

  private List<String> told(AgentBuilder agent) throws Exception {
    var options = RunOptions.thread("told").checkpoints(new InMemoryCheckpointer());
    var result = agent.build().run("Go.", options);
    assertThat(result.answer()).isEqualTo("Done.");
    return result.report().conversation().stream()
        .filter(ToolMessage.class::isInstance)
        .map(Message::text)
        .toList();
  }

  private AgentBuilder boss(ToolCall call) {
    return Agent.named("boss").model(calling(call));
  }

  @Test
  void an_agent_used_as_a_tool_is_limited_by_the_gate_of_its_caller() throws Exception {
    told(boss(task("child")).tools(child().asTool("Works.")).gate(NO_ERASE));
    assertThat(done).isEmpty();
    told(boss(task("child")).agent(child(), "Works.").gate(NO_ERASE));
    assertThat(done).isEmpty();
    told(boss(task("child")).tools(child().asTool("Works.")));
    assertThat(done).containsExactly("erase all");
  }

  @Test
  void the_gate_applies_to_agents_used_as_tools_at_any_depth() throws Exception {
    for (boolean isCalled : List.of(true, false)) {
      var middle = Agent.named("middle").model(calling(task("child"))).tools(child().asTool("W."));
      var outer = boss(task("middle")).gate(NO_ERASE);
      told(
          isCalled
              ? outer.agent(middle.build(), "Works.")
              : outer.tools(middle.build().asTool("Works.")));
      assertThat(done).isEmpty();
    }
  }

  @Test
  void middleware_that_renames_a_call_to_a_denied_tool_runs_nothing() throws Exception {
    for (var how : both(call -> call.with("erase", call.arguments()))) {
      var agent = boss(call("look", "all")).tools(tool("look"), tool("erase")).gate(NO_ERASE);
      assertThat(told(agent.middleware(how)))
          .containsExactly("The call was refused. It is not allowed here.");
      assertThat(done).isEmpty();
    }
  }

  @Test
  void middleware_that_changes_arguments_to_denied_ones_runs_nothing() throws Exception {
    var gate =
        ToolGate.open()
            .and((_, call) ->
                call.filter(c -> c.arguments().contains("secret")).isPresent()
                    ? new GateDecision.Deny("Not this.")
                    : GateDecision.allow());
    var flow =
        Flow.named("find", Asked.class, Done.class)
            .work(
                Asked.class,
                Done.class,
                (asked, _) -> {
                  done.add("flow " + asked.task());
                  return new Done("found");
                })
            .build();
    UnaryOperator<ToolCall> change =
        call -> call.with(call.tool(), call.arguments().replace("work", "secret"));
    for (var how : both(change)) {
      assertThat(told(boss(call("look", "work")).tools(tool("look")).gate(gate).middleware(how)))
          .containsExactly("The call was refused. Not this.");
      assertThat(
              told(
                  boss(task("find"))
                      .tools(flow.asTool("find", "Finds."))
                      .gate(gate)
                      .middleware(how)))
          .containsExactly("The call was refused. Not this.");
      assertThat(told(boss(task("child")).agent(child(), "Works.").gate(gate).middleware(how)))
          .containsExactly("The call was refused. Not this.");
      assertThat(done).isEmpty();
    }
  }

  @Test
  void a_call_changed_by_middleware_after_approval_is_not_approved() throws Exception {
    var gate = ToolGate.open().confirming("pay");
    for (var how : both(call -> call.with("pay", "{\"path\":\"more\"}"))) {
      var agent = boss(call("pay", "little")).tools(tool("pay")).gate(gate).middleware(how).build();
      var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
      var waits = (AgentResult.Waiting<String>) agent.run("Go.", options);
      var yes = Review.Decisions.of(new Review.Decision.Approve());
      var answer = Review.QUESTION.answer(waits.questions().getFirst(), yes);
      var result = agent.resume(Answers.none().and(answer), options);
      assertThat(result.report().conversation())
          .anySatisfy(m -> assertThat(m.text()).contains("nobody has approved it"));
      assertThat(done).isEmpty();
      // Nor has one that nobody was asked about.
      assertThat(
              told(boss(call("look", "x"))
                      .tools(tool("look"), tool("pay"))
                      .gate(gate)
                      .middleware(how))
                  .getFirst())
          .contains("nobody has approved it");
      assertThat(done).isEmpty();
    }
  }

  @Test
  void middleware_that_renames_a_call_to_an_agent_or_a_flow_takes_it_into_the_gate()
      throws Exception {
    var flow =
        Flow.named("clean", Asked.class, Done.class)
            .agent(
                Asked.class,
                Done.class,
                Agent.named("cleaner")
                    .model(
                        ScriptedModel.replying(
                            ScriptedModel.calls(call("erase", "all")),
                            ScriptedModel.text("{\"text\":\"ok\"}")))
                    .tools(tool("erase"))
                    .answering(Done.class))
            .build();
    for (var to : List.of("clean", "child")) {
      for (var how : both(call -> task(to))) {
        told(
            boss(call("look", "x"))
                .tools(tool("look"), flow.asTool("clean", "Cleans."), child().asTool("Works."))
                .gate(NO_ERASE)
                .middleware(how));
        assertThat(done).isEmpty();
      }
    }
  }

  @Test
  void a_batch_of_tools_runs_only_what_its_gate_allows() throws Exception {
    var erase = tool("erase");
    var locked = tool("lock").withPolicy(ToolPolicy.of(SideEffect.values()[0]).sandboxed());
    var asks = tool("pay").withPolicy(ToolPolicy.of(SideEffect.values()[0]).approved());
    var caller =
        ToolCaller.of(Tools.of(tool("look"), erase, locked, asks, child().asTool("Works.")))
            .withGate(NO_ERASE);
    var answers =
        ToolBatch.of(caller)
            .run(
                List.of(
                    call("look", "1"),
                    call("erase", "2"),
                    call("lock", "3"),
                    call("pay", "4"),
                    task("child")));
    assertThat(done).containsExactly("look 1");
    assertThat(answers)
        .extracting(ToolMessage::error)
        .containsExactly(false, true, true, true, false);
    assertThat(answers.get(3).text()).contains("Nobody is here to approve it.");
  }

  @Test
  void an_agent_used_as_a_tool_is_a_sub_agent() throws Exception {
    var reply = ScriptedModel.text("read");
    var model =
        ScriptedModel.replying(
            ScriptedModel.reply(reply.message(), new Usage(5, 0, 2, 0), reply.finish()));
    var reader = Agent.named("reader").model(model).build();
    var store = new InMemoryCheckpointer();
    var agent =
        boss(task("reader"))
            .tools(reader.asTool("Reads."))
            .budget(Budget.unlimited().calls(3))
            .build();
    var result = agent.run("Go.", RunOptions.thread("t").checkpoints(store));
    assertThat(result.report().spent().calls()).isEqualTo(3);
    assertThat(result.report().conversation())
        .filteredOn(ToolMessage.class::isInstance)
        .extracting(Message::text)
        .containsExactly("read");
  }
}
