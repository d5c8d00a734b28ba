package dev.superstep.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.superstep.message.ToolCall;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToolsTest {
  enum Unit {
    CELSIUS,
    FAHRENHEIT
  }

  record Place(String city, List<Integer> codes) {}

  static final class Weather {
    private final List<String> noted = new ArrayList<>();

    @dev.langchain4j.agent.tool.Tool("Tells the weather.")
    String getWeather(
        @P(name = "place", value = "where") Place place,
        @P(name = "unit", value = "in which", required = false, defaultValue = "CELSIUS")
            Unit unit) {
      return place.city() + place.codes() + unit;
    }

    @dev.langchain4j.agent.tool.Tool
    void note(@P(name = "text", value = "what") String text) {
      noted.add(text);
    }

    @dev.langchain4j.agent.tool.Tool
    Place fail(@P(name = "why", value = "why") String why) {
      if (why.equals("no")) return new Place("Oslo", List.of(1));
      throw new IllegalStateException(why);
    }
  }

  record City(String name) {}

  @Test
  void annotated_methods_are_tools() throws InterruptedException {
    var weather = new Weather();
    var tools = FromLangChain4j.tools(weather);
    assertThat(tools).extracting(Tool::name).containsExactly("fail", "get_weather", "note");
    assertThat(tools.get(1).spec().description()).isEqualTo("Tells the weather.");
    assertThat(run(tools, "get_weather", "{\"place\":{\"city\":\"Oslo\",\"codes\":[1,2]}}"))
        .isEqualTo("Oslo[1, 2]CELSIUS");
    assertThat(
            run(
                tools,
                "get_weather",
                "{\"place\":{\"city\":\"Oslo\",\"codes\":[]},\"unit\":\"FAHRENHEIT\"}"))
        .isEqualTo("Oslo[]FAHRENHEIT");
    assertThat(run(tools, "note", "{\"text\":\"hi\"}")).isEqualTo("Success");
    assertThat(weather.noted).containsExactly("hi");
    assertThat(run(tools, "fail", "{\"why\":\"no\"}"))
        .isEqualTo("{\"city\":\"Oslo\",\"codes\":[1]}");
  }

  @Test
  void a_call_that_violates_the_schema_or_fails_is_reported_to_the_model()
      throws InterruptedException {
    var tools = FromLangChain4j.tools(new Weather());
    assertThat(run(tools, "get_weather", "{\"unit\":\"CELSIUS\"}")).contains("place");
    assertThat(run(tools, "get_weather", "{\"place\":{\"city\":\"Oslo\",\"codes\":\"x\"}}"))
        .contains("codes");
    assertThat(run(tools, "fail", "{\"why\":\"out of luck\"}")).contains("out of luck");
  }

  @Test
  void an_object_without_tools_is_an_error() {
    assertThatThrownBy(() -> FromLangChain4j.tools("text"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.String");
  }

  @Test
  void a_specification_and_its_executor_are_a_tool() throws InterruptedException {
    var specification =
        ToolSpecification.builder()
            .name("countWords")
            .description("Counts.")
            .parameters(
                JsonObjectSchema.builder().addStringProperty("text").required("text").build())
            .build();
    var tool =
        FromLangChain4j.tool(
            specification, call -> call.name() + " " + call.id() + " " + call.arguments());
    assertThat(run(List.of(tool), "count_words", "{\"text\":\"a b\"}"))
        .isEqualTo("countWords c1 {\"text\":\"a b\"}");
    assertThat(run(List.of(tool), "count_words", "{}")).contains("text");
  }

  @Test
  void our_tools_run_under_langchain4j_and_come_back() throws InterruptedException {
    var tool =
        Tool.of(
            "get_weather", "Tells the weather.", City.class, (city, _) -> "Rain in " + city.name());
    var specification = ForLangChain4j.specification(tool);
    assertThat(specification.name()).isEqualTo("get_weather");
    assertThat(specification.parameters().required()).containsExactly("name");
    var executor = ForLangChain4j.executor(tool);
    var call = ToolExecutionRequest.builder().name("get_weather");
    assertThat(executor.apply(call.arguments("{\"name\":\"Bergen\"}").build()))
        .isEqualTo("Rain in Bergen");
    assertThat(executor.apply(call.arguments("{}").build())).contains("name");
    var back = FromLangChain4j.tool(specification, executor);
    assertThat(run(List.of(back), "get_weather", "{\"name\":\"Bergen\"}"))
        .isEqualTo("Rain in Bergen");
  }

  private static String run(List<Tool> tools, String name, String arguments)
      throws InterruptedException {
    var call = new ToolCall("c1", name, arguments);
    return ToolBatch.of(Tools.of(tools)).run(List.of(call)).getFirst().text();
  }
}
