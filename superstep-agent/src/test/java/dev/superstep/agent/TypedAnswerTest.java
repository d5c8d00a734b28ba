package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.AnswerMode;
import dev.superstep.agent.run.Repair;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.Capability;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.ToolSpec;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
@Tag("T49")
class TypedAnswerTest {
  record City(String name) {}

  record Advice(String text, boolean umbrella) {}

  private static final Tool LOOK =
      Tool.of("look", "Looks.", City.class, (city, _) -> "rain in " + city.name());
  private static final String GOOD = "{\"text\":\"Take one.\",\"umbrella\":true}";
  private static final Advice ADVICE = new Advice("Take one.", true);

  @Test
  void without_tools_the_schema_goes_with_the_request() throws InterruptedException {
    var model = ScriptedModel.saying(GOOD);
    var agent = Agent.named("a").model(model).answering(Advice.class);
    assertThat(agent.run("Weather?").answer()).isEqualTo(ADVICE);
    assertThat(model.requests().getFirst().format()).isInstanceOf(ResponseFormat.JsonSchema.class);
  }

  @Test
  void with_tools_the_answer_is_the_call_of_an_answer_tool() throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "look", "{\"name\":\"Bergen\"}")),
            ScriptedModel.calls(new ToolCall("c2", "answer", GOOD)));
    var agent = Agent.named("a").model(model).tools(LOOK).answering(Advice.class);
    var result = agent.run("Weather?");
    assertThat(result.answer()).isEqualTo(ADVICE);
    assertThat(model.requests().getFirst().tools())
        .extracting(ToolSpec::name)
        .containsExactly("look", "answer");
    assertThat(result.report().conversation().getLast().text()).isEqualTo("Accepted.");
    assertThat(result.report().toolCalls()).isEqualTo(1);
  }

  @Test
  void a_model_that_is_known_to_keep_to_schemas_is_given_one_also_with_tools()
      throws InterruptedException {
    var inner = ScriptedModel.saying(GOOD);
    var able = new Known(inner, ModelProfile.of(Capability.TOOLS, Capability.STRUCTURED_OUTPUT));
    var agent = Agent.named("a").model(able).tools(LOOK).answering(Advice.class);
    assertThat(agent.run("Weather?").answer()).isEqualTo(ADVICE);
    assertThat(inner.requests().getFirst().format()).isInstanceOf(ResponseFormat.JsonSchema.class);
  }

  @Test
  void an_invalid_answer_is_sent_back_with_its_errors() throws InterruptedException {
    var model = ScriptedModel.saying("{\"text\":\"Take one.\"}", "```json\n" + GOOD + "\n```");
    var agent = Agent.named("a").model(model).answering(Advice.class);
    var result = agent.run("Weather?");
    assertThat(result.answer()).isEqualTo(ADVICE);
    assertThat(result.report().modelCalls()).isEqualTo(2);
    assertThat(model.requests().getLast().messages().getLast().text()).contains("umbrella");
  }

  @Test
  void a_wrong_answer_by_tool_is_answered_by_an_error_and_asked_for_again()
      throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "answer", "{\"text\":1}")),
            ScriptedModel.calls(
                new ToolCall("c2", "answer", GOOD), new ToolCall("c3", "answer", GOOD)),
            ScriptedModel.calls(new ToolCall("c4", "answer", GOOD)));
    var agent =
        Agent.named("a")
            .model(model)
            .answerMode(AnswerMode.TOOL)
            .repair(Repair.turns(2).saying("Again, please."))
            .answering(Advice.class);
    var result = agent.run("Weather?");
    assertThat(result.answer()).isEqualTo(ADVICE);
    assertThat(result.report().conversation())
        .filteredOn(ToolMessage.class::isInstance)
        .extracting(m -> ((ToolMessage) m).error())
        .containsExactly(true, true, true, false);
    assertThat(result.report().conversation())
        .filteredOn(m -> m.text().equals("Again, please."))
        .hasSize(2);
  }

  @Test
  void an_answer_next_to_other_tool_calls_is_too_early() throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(
                new ToolCall("c1", "look", "{\"name\":\"Bergen\"}"),
                new ToolCall("c2", "answer", GOOD)),
            ScriptedModel.calls(new ToolCall("c3", "answer", GOOD)));
    var agent = Agent.named("a").model(model).tools(LOOK).answering(Advice.class);
    assertThat(agent.run("Weather?").answer()).isEqualTo(ADVICE);
    assertThat(model.requests().getLast().messages())
        .filteredOn(ToolMessage.class::isInstance)
        .extracting(Message::text)
        .containsExactlyInAnyOrder("rain in Bergen", "Too early: other tools were called with it.");
  }

  @Test
  void an_answer_that_stays_wrong_fails_the_agent() {
    var model = ScriptedModel.saying("no", "still no");
    var agent = Agent.named("a").model(model).answering(Advice.class);
    assertThatThrownBy(() -> agent.run("Weather?"))
        .isInstanceOfSatisfying(
            ModelException.class,
            e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.MALFORMED))
        .hasMessageContaining("no valid answer in 2 turns");
    var strict =
        Agent.named("a")
            .model(ScriptedModel.saying("no"))
            .repair(Repair.none())
            .answering(Advice.class);
    assertThatThrownBy(() -> strict.run("Weather?")).hasMessageContaining("in 1 turns");
  }

  @Test
  void an_answer_by_tool_is_streamed_as_text_piece_by_piece() throws InterruptedException {
    var model =
        new Streamed(
            ScriptedModel.replying(
                ScriptedModel.calls(new ToolCall("c1", "look", "{\"name\":\"Bergen\"}")),
                ScriptedModel.calls(new ToolCall("c2", "answer", GOOD))));
    var agent = Agent.named("a").model(model).tools(LOOK).answering(Advice.class);
    var texts = new ArrayList<String>();
    var arguments = new StringBuilder();
    try (var run = agent.stream("Weather?", RunOptions.defaults())) {
      for (var event : run) {
        if (event instanceof Event.TextArrived said) texts.add(said.piece().text());
        AgentEvent.of(event)
            .filter(AgentEvent.ModelDelta.class::isInstance)
            .ifPresent(delta -> arguments.append(((AgentEvent.ModelDelta) delta).text()));
      }
      assertThat(run.result().answer()).isEqualTo(ADVICE);
    }
    assertThat(texts).hasSizeGreaterThan(1);
    assertThat(String.join("", texts)).isEqualTo(GOOD);
    assertThat(arguments).hasToString("{\"name\":\"Bergen\"}");
  }

  @Test
  void a_report_names_the_answer_tool_of_a_typed_agent_only() throws InterruptedException {
    var typed = Agent.named("a").model(ScriptedModel.saying(GOOD)).answering(Advice.class);
    assertThat(typed.run("Weather?").report().answerTool()).contains("answer");
    var plain = Agent.named("a").model(ScriptedModel.saying("Rain.")).build();
    assertThat(plain.run("Weather?").report().answerTool()).isEmpty();
  }

  /// Streams the arguments of calls in pieces, of which only the first names the tool.
  private record Streamed(ChatModel inner) implements ChatModel {
    @Override
    public ModelRef ref() {
      return inner.ref();
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      return inner.call(request);
    }

    @Override
    public ChatReply stream(ChatRequest request, DeltaListener listener)
        throws InterruptedException {
      var reply = call(request);
      for (var call : reply.message().calls()) {
        listener.onToolCall(new ToolCallPiece(0, call.id(), call.tool(), ""));
        for (var piece : call.arguments().split("(?<=:)")) {
          listener.onToolCall(new ToolCallPiece(0, "", "", piece));
        }
      }
      return reply;
    }
  }

  /// A model of which something is known.
  private record Known(ChatModel inner, ModelProfile profile) implements ChatModel {
    @Override
    public ModelRef ref() {
      return inner.ref();
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      return inner.call(request);
    }
  }
}
