package dev.superstep.spring.ai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;

class ToolsTest {
  record City(String name) {}

  public static final class Weather {
    private final List<String> noted = new ArrayList<>();

    @org.springframework.ai.tool.annotation.Tool(description = "Tells the weather.")
    public String getWeather(
        @ToolParam(description = "in English") String city,
        org.springframework.ai.chat.model.ToolContext context) {
      var ours = (ToolContext) context.getContext().get(FromSpringAi.CONTEXT);
      noted.add(ours.callId() + " " + context.getContext().get("tenant"));
      return "Rain in " + city;
    }

    @org.springframework.ai.tool.annotation.Tool(
        description = "Ends the talk.",
        returnDirect = true)
    public String close(String words) {
      if (words.isEmpty()) throw new IllegalStateException("out of words");
      return words;
    }
  }

  @Test
  void annotatedMethodsOfSpringAiAreTools() throws InterruptedException {
    var weather = new Weather();
    var tools = FromSpringAi.tools(weather);
    assertThat(tools).extracting(Tool::name).containsExactlyInAnyOrder("get_weather", "close");
    var tool = named(tools, "get_weather");
    assertThat(tool.spec().description()).isEqualTo("Tells the weather.");
    assertThat(tool.spec().parameters().text()).contains("\"city\"").doesNotContain("context");
    assertThat(tool.policy()).isEqualTo(ToolPolicy.UNCLASSIFIED);
    assertThat(run(tool, "{\"city\":\"Oslo\"}")).contains("Rain in Oslo");
    assertThat(weather.noted).containsExactly("c1 null");
  }

  @Test
  void aCallThatViolatesTheSchemaOrFailsIsReportedToTheModel() throws InterruptedException {
    var tools = FromSpringAi.tools(new Weather());
    assertThat(run(named(tools, "get_weather"), "{}")).contains("city");
    assertThat(run(named(tools, "close"), "{\"words\":\"\"}")).contains("out of words");
  }

  @Test
  void aResultThatSpringAiReturnsDirectlyIsTheAnswerOfTheAgent() throws InterruptedException {
    var call = new ToolCall("c1", "close", "{\"words\":\"Goodbye\"}");
    var model =
        ScriptedModel.replying(
            ScriptedModel.reply(
                new AssistantMessage("", "", List.of(call)),
                Usage.NONE,
                ChatReply.Finish.TOOL_CALLS));
    var agent =
        Agent.named("clerk")
            .model(model)
            .tools(named(FromSpringAi.tools(new Weather()), "close"))
            .build();
    assertThat(agent.run("End it.").answer()).contains("Goodbye");
  }

  @Test
  void aToolGetsWhatItsContextIsMadeOf() throws InterruptedException {
    var seen = new ArrayList<Object>();
    var callback =
        new ToolCallback() {
          @Override
          public ToolDefinition getToolDefinition() {
            return ToolDefinition.builder()
                .name("look")
                .description("Looks.")
                .inputSchema("{\"type\":\"object\",\"properties\":{}}")
                .build();
          }

          @Override
          public String call(String arguments) {
            throw new IllegalStateException("called without a context");
          }

          @Override
          public String call(
              String arguments, org.springframework.ai.chat.model.ToolContext given) {
            seen.add(given.getContext().get("tenant"));
            return arguments;
          }
        };
    var tool = FromSpringAi.tool(callback, context -> Map.of("tenant", "t-" + context.callId()));
    assertThat(run(tool, "{}")).isEqualTo("{}");
    assertThat(seen).containsExactly("t-c1");
  }

  @Test
  void ourToolsRunUnderSpringAiAndComeBackAsTheyWere() {
    var tool = Tool.of("get_weather", "Tells.", City.class, (city, _) -> "Rain in " + city.name());
    var callback = ForSpringAi.provider(Tools.of(tool)).getToolCallbacks()[0];
    assertThat(callback.getToolDefinition().name()).isEqualTo("get_weather");
    assertThat(callback.getToolDefinition().inputSchema()).contains("\"name\"");
    assertThat(callback.call("{\"name\":\"Bergen\"}")).isEqualTo("Rain in Bergen");
    assertThatThrownBy(() -> callback.call("{}"))
        .isInstanceOf(ToolExecutionException.class)
        .hasMessageContaining("name");
    assertThat(FromSpringAi.tool(callback)).isSameAs(tool);
  }

  @Test
  void ourToolsGetTheContextOfSpringAi() {
    var tool =
        Tool.of(
            "look",
            "Looks.",
            City.class,
            (_, context) ->
                context
                    .get(org.springframework.ai.chat.model.ToolContext.class)
                    .getContext()
                    .get("tenant"));
    var given = new org.springframework.ai.chat.model.ToolContext(Map.of("tenant", "t1"));
    assertThat(ForSpringAi.callback(tool).call("{\"name\":\"x\"}", given)).contains("t1");
  }

  @Test
  void aToolThatNeedsApprovalIsNotGivenAway() {
    var tool =
        Tool.of("pay", "Pays.", City.class, (_, _) -> "paid")
            .withPolicy(ToolPolicy.of(SideEffect.EXTERNAL_SERVICE).approved());
    assertThatThrownBy(() -> ForSpringAi.callback(tool))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("`pay`")
        .hasMessageContaining("agent");
  }

  @Test
  void aToolOfSpringAisThatRanIsNotRunAgainWhenItsAgentIsResumed() throws InterruptedException {
    var weather = new Weather();
    var call = new ToolCall("c1", "get_weather", "{\"city\":\"Oslo\"}");
    var asks =
        ScriptedModel.reply(
            new AssistantMessage("", "", List.of(call)), Usage.NONE, ChatReply.Finish.TOOL_CALLS);
    var tool = named(FromSpringAi.tools(weather), "get_weather");
    var store = new InMemoryCheckpointer();
    var failing =
        ScriptedModel.by(request -> {
          if (request.messages().size() < 3) return asks;
          throw new IllegalStateException("the line is dead");
        });
    var options = dev.superstep.graph.RunOptions.defaults().on("t1", store);
    var first = Agent.named("guide").model(failing).tools(tool).build();
    assertThatThrownBy(() -> first.run("What of Oslo?", options)).isNotNull();
    assertThat(weather.noted).hasSize(1);
    var second = Agent.named("guide").model(ScriptedModel.saying("Wet.")).tools(tool).build();
    var result = second.resume(dev.superstep.run.Answers.none(), options);
    assertThat(result.answer()).isEqualTo("Wet.");
    assertThat(weather.noted).hasSize(1);
  }

  private static Tool named(List<Tool> tools, String name) {
    return tools.stream().filter(tool -> tool.name().equals(name)).findFirst().orElseThrow();
  }

  private static String run(Tool tool, String arguments) throws InterruptedException {
    var call = new ToolCall("c1", tool.name(), arguments);
    return ToolBatch.of(Tools.of(tool)).run(List.of(call)).getFirst().text();
  }
}
