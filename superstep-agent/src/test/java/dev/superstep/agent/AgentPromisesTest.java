package dev.superstep.agent;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.status.AgentStatus;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Ledger;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.Capability;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.tool.GateDecision;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.Tools;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What holds for each way to use models and tools, and for a whole tree of agents.
class AgentPromisesTest {
  record City(String name) {}

  private static final Channel<List<Message>, Message> MESSAGES = Messages.channel("messages");
  private static final Tool LOOK =
      Tool.of("look", "Looks.", City.class, (city, _) -> "sun in " + city.name());
  private static final Tool WIPE = Tool.of("wipe", "Wipes.", City.class, (_, _) -> "wiped");
  private static final ToolGate NO_WIPING =
      ToolGate.open()
          .and((tool, _) ->
              tool.name().equals("wipe") ? new GateDecision.Deny("No.") : GateDecision.allow());

  private static ToolCall call(String id, String tool) {
    return new ToolCall(id, tool, "{\"name\":\"Oslo\"}");
  }

  private static ScriptedModel calling() {
    return ScriptedModel.replying(
        ScriptedModel.calls(call("c1", "look"), call("c2", "wipe"), call("c3", "lift")),
        ScriptedModel.text("Sun."));
  }

  private static List<String> answers(List<? extends Message> messages) {
    return messages.stream().filter(ToolMessage.class::isInstance).map(Message::text).toList();
  }

  @Test
  @Tag("T2")
  void a_call_a_loop_and_a_node_answer_the_same_calls_alike() throws Exception {
    var tools = Tools.of(LOOK, WIPE);
    var caller = ToolCaller.of(tools).withGate(NO_WIPING);
    var asked = ModelCall.of(calling()).withTools(tools).run(List.of(Message.user("Weather?")));
    var direct = answers(ToolBatch.of(caller).run(asked.message().calls()));
    assertThat(direct).hasSize(3).first().isEqualTo("sun in Oslo");
    var agent = Agent.named("weather").model(calling()).tools(tools).gate(NO_WIPING).build();
    var loop = agent.run("Weather?").report().conversation();
    assertThat(answers(loop)).isEqualTo(direct);
    var nodes =
        Graph.named("nodes")
            .channels(MESSAGES)
            .node("model", ModelCall.of(calling()).withTools(tools).on(MESSAGES))
            .node("tools", ToolBatch.of(caller).on(MESSAGES))
            .edge(START, "model")
            .route(
                "model",
                state -> Messages.openCalls(state.get(MESSAGES)).isEmpty() ? END : "tools",
                "tools",
                END)
            .edge("tools", "model")
            .compile();
    var outcome = nodes.invoke(Input.of(MESSAGES, Message.user("Weather?")));
    var state = ((Outcome.Completed) outcome).state();
    assertThat(answers(state.get(MESSAGES))).isEqualTo(direct);
  }

  /// A model that is known to lack something, and counts its calls.
  private record Limited(ModelProfile profile, AtomicInteger calls) implements ChatModel {
    @Override
    public ModelRef ref() {
      return new ModelRef("scripted", "limited");
    }

    @Override
    public ChatReply call(ChatRequest request) {
      calls.incrementAndGet();
      return ScriptedModel.text("asked");
    }
  }

  @Test
  @Tag("T19")
  void what_a_model_is_known_not_to_take_is_refused_before_it_is_asked() {
    var calls = new AtomicInteger();
    var none =
        new ModelProfile(
            Set.of(),
            Set.of(Capability.TOOLS, Capability.VISION),
            OptionalLong.empty(),
            OptionalLong.empty());
    var blind = Agent.named("blind").model(new Limited(none, calls));
    var picture =
        new UserMessage(
            "", List.of(new Content.ImageLink(URI.create("https://example.org/a.png"))));
    assertThatThrownBy(() -> blind.build().run(List.of(picture), RunOptions.defaults()))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("pictures");
    assertThatThrownBy(() -> blind.copy().tools(LOOK).build().run("?"))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("tools");
    var small = new Limited(ModelProfile.of().within(20, 5), calls);
    assertThatThrownBy(() -> Agent.named("small").model(small).build().run("word ".repeat(99)))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("context");
    var long5 = Agent.named("long").model(small).request(r -> r.withMaxTokens(6)).build();
    assertThatThrownBy(() -> long5.run("?"))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("at most 5 tokens");
    assertThat(calls).hasValue(0);
  }

  private static Agent<String> tree(ToolGate gate) {
    var leaf = Agent.named("leaf").model(calling()).tools(LOOK, WIPE).build();
    var middle =
        Agent.named("middle")
            .model(
                ScriptedModel.replying(
                    ScriptedModel.calls(new ToolCall("m1", "leaf", "{\"task\":\"look\"}")),
                    ScriptedModel.text("middle")))
            .agent(leaf, "Looks.")
            .build();
    return Agent.named("root")
        .model(
            ScriptedModel.replying(
                ScriptedModel.calls(new ToolCall("r1", "middle", "{\"task\":\"ask\"}")),
                ScriptedModel.text("root")))
        .agent(middle, "Asks.")
        .gate(gate)
        .build();
  }

  /// A clock that goes on with each reading, and ids that count.
  private static RunOptions counted(List<Event> events, Durability when) {
    var ids = new AtomicLong();
    var times = new AtomicLong();
    return RunOptions.thread("t")
        .checkpoints(new InMemoryCheckpointer())
        .durability(when)
        .concurrency(1)
        .clock(() -> Instant.EPOCH.plusMillis(times.incrementAndGet()))
        .ids(() -> "id-" + ids.incrementAndGet())
        .listener(events::add);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @Tag("A14")
  void a_tree_of_agents_has_one_clock_and_one_source_of_ids(Durability when) throws Exception {
    var runs = new ArrayList<List<String>>();
    for (int i = 0; i < 2; i++) {
      var events = new ArrayList<Event>();
      assertThat(tree(ToolGate.open()).run("Go.", counted(events, when)).answer())
          .isEqualTo("root");
      runs.add(events.stream().map(event -> timeless(event.json().text())).toList());
    }
    assertThat(runs.getFirst()).hasSizeGreaterThan(30).isEqualTo(runs.getLast());
    var text = String.join("\n", runs.getFirst());
    assertThat(text).contains("1970-01-01T00:00:00").doesNotContain("\"at\":\"2");
  }

  /// Without the times that steps took, which nothing but the machine decides.
  private static String timeless(String json) {
    return json.replaceAll("\"took\":\"[^\"]*\"", "");
  }

  @Test
  @Tag("A14")
  void a_tree_of_agents_has_one_budget_and_one_gate() throws Exception {
    var ledger = Ledger.of("all", Budget.unlimited().calls(4));
    var options = RunOptions.defaults().with(Agent.LEDGER, ledger);
    assertThatThrownBy(() -> tree(NO_WIPING).run("Go.", options))
        .isInstanceOf(BudgetExceeded.class);
    assertThat(ledger.spent().calls()).isEqualTo(4);
    var enough = Ledger.of("all", Budget.unlimited().calls(6));
    var heard = new ArrayList<String>();
    var hears = AgentEvent.listener(event -> heard.add(event.name()));
    tree(NO_WIPING).run("Go.", RunOptions.defaults().with(Agent.LEDGER, enough).listener(hears));
    assertThat(enough.spent().calls()).isEqualTo(6);
    assertThat(heard).as("the gate of the root holds for the leaf").containsOnlyOnce("tool.denied");
  }

  @Test
  @Tag("T57")
  void runs_and_phases_have_the_stated_names() {
    assertThat(Arrays.stream(AgentStatus.Stage.values()).map(Enum::name))
        .containsExactly(
            "PENDING",
            "RUNNING",
            "WAITING",
            "INTERRUPTED",
            "DRAINING",
            "COMPLETED",
            "FAILED",
            "CANCELLED");
    assertThat(Arrays.stream(AgentStatus.Phase.values()).map(Enum::name))
        .containsExactly(
            "STARTING",
            "LOADING_MEMORY",
            "BUILDING_PROMPT",
            "CALLING_MODEL",
            "VALIDATING_STRUCTURED_OUTPUT",
            "CALLING_TOOLS",
            "SUMMARIZING",
            "SAVING_MEMORY",
            "COMPLETED",
            "FAILED",
            "CANCELLED");
  }
}
