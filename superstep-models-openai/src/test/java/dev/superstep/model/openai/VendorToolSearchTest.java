package dev.superstep.model.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.middleware.hosted.HostedToolUnavailable;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.openai.OpenAiModels.Api;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import dev.superstep.tool.Tool;
import dev.superstep.tool.Tools;
import dev.superstep.tool.search.ToolSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Agents whose tools OpenAI searches. The replies are written by OpenAI's documents, and were not
/// recorded; the server enforces its rules.
@Timeout(60)
class VendorToolSearchTest {
  private static final String SEARCHING =
      """
      {"type":"tool_search_call","id":"tsc_1","call_id":null,"execution":"server",\
      "status":"completed","arguments":{"paths":["bill"]}}\
      """;
  private static final String FOUND =
      """
      {"type":"tool_search_output","id":"tso_1","call_id":null,"execution":"server",\
      "status":"completed","tools":[{"type":"function","name":"bill","description":"Bills.",\
      "defer_loading":true,"parameters":{"type":"object"}}]}\
      """;
  private static final String CALLING =
      """
      {"type":"function_call","id":"fc_1","call_id":"call_1","name":"bill","namespace":"bill",\
      "arguments":"{\\"customer\\":\\"Ada\\"}","status":"completed"}\
      """;

  record Customer(String customer) {}

  private final List<String> billed = new ArrayList<>();
  private final Tool bill =
      Tool.of(
          "bill",
          "Bills a customer.",
          Customer.class,
          (c, _) -> {
            billed.add(c.customer());
            return "billed";
          });

  private static ModelUnderTest open(String model) {
    var server = ModelServer.start(WireFormats.OPENAI_RESPONSES.format());
    var environment =
        Environment.of(
            Map.of("OPENAI_API_KEY", "sk-1", "SUPERSTEP_OPENAI_BASE_URL", server.url() + "/v1"));
    var opened = OpenAiModels.open(ModelRef.parse("openai://" + model), environment, Api.RESPONSES);
    return new ModelUnderTest(opened, server, "sk-1", WireFormats.OPENAI_RESPONSES.features());
  }

  private static String response() {
    return """
    {"id":"r1","object":"response","created_at":1,"model":"m","status":"completed","error":null,\
    "incomplete_details":null,"output":[%s],"usage":{}}\
    """
        .formatted(String.join(",", SEARCHING, FOUND, CALLING));
  }

  private static String events() {
    var begun = CALLING.replaceAll("\"arguments\":\"[^}]*}\"", "\"arguments\":\"\"");
    return """
    data: {"type":"response.output_item.done","output_index":0,"item":%s}

    data: {"type":"response.output_item.done","output_index":1,"item":%s}

    data: {"type":"response.output_item.added","output_index":2,"item":%s}

    data: {"type":"response.function_call_arguments.delta","output_index":2,\
    "delta":"{\\"customer\\":"}

    data: {"type":"response.function_call_arguments.delta","output_index":2,"delta":"\\"Ada\\"}"}

    data: {"type":"response.output_item.done","output_index":2,"item":%s}

    data: {"type":"response.completed","response":%s}

    """
        .formatted(SEARCHING, FOUND, begun, CALLING, response());
  }

  private static JsonNode sent(ModelUnderTest test) {
    return JsonMapper.shared().readTree(test.server().lastBody());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_tool_that_the_vendor_finds_is_called_and_its_items_go_back_exactly(boolean isStreamed)
      throws Exception {
    try (var test = open("gpt-5.4")) {
      test.server()
          .answer(new Answer.Sends(isStreamed ? events() : response()))
          .answer(Answer.text("Done."));
      var used = new ArrayList<Event>();
      var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
      var agent =
          Agent.named("desk")
              .model(test.model())
              .middleware(ToolSearch.over(Tools.of(bill)).byVendor())
              .build();
      var result = agent.run("Bill Ada", isStreamed ? options.listener(used::add) : options);
      assertThat(result.answer()).isEqualTo("Done.");
      assertThat(billed).containsExactly("Ada");
      var tools = sent(test).path("tools");
      assertThat(tools.get(0).toString()).isEqualTo("{\"type\":\"tool_search\"}");
      assertThat(tools.get(1).path("defer_loading").asBoolean()).isTrue();
      var input = sent(test).path("input");
      assertThat(input.get(1).toString()).isEqualTo(SEARCHING);
      assertThat(input.get(2).toString()).isEqualTo(FOUND);
      assertThat(input.get(3).path("name").asString()).isEqualTo("bill");
      assertThat(input.get(3).path("namespace").asString()).isEqualTo("bill");
      assertThat(input.get(4).path("type").asString()).isEqualTo("function_call_output");
      if (isStreamed) assertThat(used.toString()).contains("tool_search");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gpt-5.2", "gpt-5", "gpt-4.1", "o4-mini"})
  void a_model_without_a_search_is_not_asked(String model) {
    try (var test = open(model)) {
      var agent =
          Agent.named("desk")
              .model(test.model())
              .middleware(ToolSearch.over(Tools.of(bill)).byVendor())
              .build();
      assertThatThrownBy(() -> agent.run("Bill Ada"))
          .isInstanceOf(ModelException.class)
          .hasMessageContaining("no search of its own for tools");
      assertThat(test.server().asked()).isEmpty();
    }
  }

  @Test
  void a_search_by_patterns_is_not_openais() {
    try (var test = open("gpt-5.4")) {
      var agent =
          Agent.named("desk")
              .model(test.model())
              .middleware(ToolSearch.over(Tools.of(bill)).byVendor().byPatterns())
              .build();
      assertThatThrownBy(() -> agent.run("Bill Ada"))
          .isInstanceOf(HostedToolUnavailable.class)
          .hasMessageContaining("search for tools by patterns");
      assertThat(test.server().asked()).isEmpty();
    }
  }
}
