package dev.superstep.model.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.HostedTool;
import dev.superstep.model.ToolChoice;
import dev.superstep.model.ToolSpec;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.ModelUnderTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What tools that run at vendors leave in a conversation, and how it goes on. The servers enforce
/// the vendors' rules.
class HostedToolsTest {
  private static final Message QUESTION = Message.user("Who won?");
  private static final String SEARCHED =
      """
      {"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"won"}},\
      {"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}\
      """;
  private static final String SEARCHING =
      "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_2\",\"name\":\"web_search\",\"input\":{}}";

  private static ChatRequest search(List<Message> messages) {
    var tool = Json.parse("{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}");
    return ChatRequest.of(messages).withHostedTools(new HostedTool("anthropic", tool));
  }

  private static String claude(String stop, String more, String... blocks) {
    return """
    {"id":"msg_1","type":"message","role":"assistant","model":"m","content":[%s],\
    "stop_reason":"%s"%s,"usage":{"input_tokens":6,"output_tokens":7}}\
    """
        .formatted(String.join(",", blocks), stop, more);
  }

  @ParameterizedTest
  @ValueSource(strings = {"anthropic://claude-opus-4-1", "anthropic://claude-opus-4-6"})
  void a_paused_turn_goes_back_as_it_is_and_goes_on(String url) throws InterruptedException {
    try (var test = AnthropicTest.open(url)) {
      test.server()
          .answer(new Answer.Sends(claude("pause_turn", "", SEARCHED, SEARCHING)))
          .answer(Answer.text("She did."));
      var paused = test.model().call(search(List.of(QUESTION)));
      assertThat(paused.finish()).isEqualTo(Finish.PAUSED);
      var done = test.model().call(search(List.of(QUESTION, paused.message())));
      assertThat(done.finish()).isEqualTo(Finish.STOP);
      assertThat(done.message().text()).isEqualTo("She did.");
      var sent = sent(test);
      assertThat(sent.path("messages")).hasSize(2);
      assertThat(sent.at("/messages/1/content").toString())
          .isEqualTo("[" + SEARCHED + "," + SEARCHING + "]");
      assertThat(sent.at("/tools/0/name").asString()).isEqualTo("web_search");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @Test
  void a_paused_turn_that_is_streamed_is_the_same() throws InterruptedException {
    var stream =
        """
        data: {"type":"message_start","message":{"id":"msg_1","model":"m","usage":{}}}

        data: {"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use",\
        "id":"srvtoolu_2","name":"web_search","input":{}}}

        data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta",\
        "partial_json":"{\\"query\\":"}}

        data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta",\
        "partial_json":"\\"won\\"}"}}

        data: {"type":"content_block_stop","index":0}

        data: {"type":"message_delta","delta":{"stop_reason":"pause_turn",\
        "container":{"id":"container_1","expires_at":"2027-01-01T00:00:00Z"}},"usage":{}}

        data: {"type":"message_stop"}

        """;
    try (var test = AnthropicTest.open("anthropic://claude-opus-4-6")) {
      test.server().answer(new Answer.Sends(stream)).answer(Answer.text("She did."));
      var paused = test.model().stream(search(List.of(QUESTION)), _ -> {});
      assertThat(paused.finish()).isEqualTo(Finish.PAUSED);
      test.model().call(search(List.of(QUESTION, paused.message())));
      var sent = sent(test);
      assertThat(sent.at("/messages/1/content").toString())
          .isEqualTo("[" + SEARCHING.replace("{}", "{\"query\":\"won\"}") + "]");
      assertThat(sent.path("container").asString()).isEqualTo("container_1");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @Test
  void what_comes_after_a_pause_joins_the_turn_that_was_paused() throws InterruptedException {
    try (var test = AnthropicTest.open("anthropic://claude-opus-4-6")) {
      var result =
          "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_2\",\"content\":[]}";
      test.server()
          .answer(new Answer.Sends(claude("pause_turn", "", SEARCHED, SEARCHING)))
          .answer(
              new Answer.Sends(
                  claude("end_turn", "", result, "{\"type\":\"text\",\"text\":\"She did.\"}")))
          .answer(Answer.text("Yes."));
      var all = new ArrayList<>(List.of(QUESTION));
      all.add(test.model().call(search(all)).message());
      all.add(test.model().call(search(all)).message());
      all.add(Message.user("Sure?"));
      test.model().call(search(all));
      var sent = sent(test);
      assertThat(sent.path("messages")).hasSize(3);
      assertThat(sent.at("/messages/1/content")).hasSize(5);
      assertThat(sent.has("container")).isFalse();
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @Test
  void a_user_who_speaks_to_a_paused_turn_ends_what_it_had_begun() throws InterruptedException {
    try (var test = AnthropicTest.open("anthropic://claude-opus-4-6")) {
      var more = ",\"container\":{\"id\":\"container_1\"}";
      test.server()
          .answer(new Answer.Sends(claude("pause_turn", more, SEARCHED, SEARCHING)))
          .answer(new Answer.Sends(claude("pause_turn", more, SEARCHING)))
          .answer(Answer.text("Fine."));
      var first = test.model().call(search(List.of(QUESTION))).message();
      var second = test.model().call(search(List.of(QUESTION))).message();
      test.model()
          .call(
              search(
                  List.of(
                      QUESTION, first, Message.user("Stop."), second, Message.user("Enough."))));
      var sent = sent(test);
      assertThat(sent.at("/messages/1/content").toString()).isEqualTo("[" + SEARCHED + "]");
      assertThat(sent.at("/messages/3/content").toString()).contains("(nothing)");
      assertThat(sent.has("container")).isFalse();
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  /// The call that runs there waits for the results of those that run here.
  @Test
  void a_call_there_beside_a_call_here_waits_for_its_result() throws InterruptedException {
    try (var test = AnthropicTest.open("anthropic://claude-opus-4-6")) {
      var call = "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"weather\",\"input\":{}}";
      var more = ",\"container\":{\"id\":\"container_1\"}";
      test.server()
          .answer(new Answer.Sends(claude("tool_use", more, SEARCHING, call)))
          .answer(Answer.text("Fine."));
      var weather = new ToolSpec("weather", "Tells it.", Json.parse("{\"type\":\"object\"}"));
      var reply = test.model().call(search(List.of(QUESTION)).withTools(List.of(weather)));
      assertThat(reply.finish()).isEqualTo(Finish.TOOL_CALLS);
      var sunny = new ToolMessage("", "toolu_1", "weather", "Sunny.", false);
      test.model()
          .call(search(List.of(QUESTION, reply.message(), sunny)).withTools(List.of(weather)));
      assertThat(sent(test).at("/messages/1/content").toString()).contains(SEARCHING);
      assertThat(sent(test).path("container").asString()).isEqualTo("container_1");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void what_gemini_computed_goes_back_in_its_order(boolean isStreamed) throws InterruptedException {
    var parts =
        """
        {"executableCode":{"language":"PYTHON","code":"print(6*7)"},"thoughtSignature":"c2VhbA=="},\
        {"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"42"}},{"text":"It is 42."}\
        """;
    var answer =
        """
        {"candidates":[{"content":{"role":"model","parts":[%s]},"finishReason":"STOP"}],\
        "usageMetadata":{},"modelVersion":"m","responseId":"r1"}\
        """
            .formatted(parts);
    try (var test = GeminiTest.open("gemini://gemini-3-flash-preview")) {
      var tool = new HostedTool("gemini", Json.parse("{\"codeExecution\":{}}"));
      test.server()
          .answer(new Answer.Sends(isStreamed ? "data: " + answer + "\n\n" : answer))
          .answer(Answer.text("Yes."));
      var first = ChatRequest.of(QUESTION).withHostedTools(tool);
      var reply = isStreamed ? test.model().stream(first, _ -> {}) : test.model().call(first);
      assertThat(reply.message().text()).isEqualTo("It is 42.");
      again(test, reply, tool);
      assertThat(sent(test).at("/contents/1/parts").toString()).isEqualTo("[" + parts + "]");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @Test
  void tools_there_and_here_are_combined_by_gemini_3() throws InterruptedException {
    var parts =
        """
        {"toolCall":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["won"]}},\
        "thoughtSignature":"c2VhbA=="},{"toolResponse":{"id":"t1","toolType":\
        "GOOGLE_SEARCH_WEB","response":{"search_suggestions":"x"}}}\
        """;
    var call = "{\"functionCall\":{\"id\":\"c1\",\"name\":\"weather\",\"args\":{}},%s}";
    var answer =
        """
        {"candidates":[{"content":{"role":"model","parts":[%s]},"finishReason":"STOP"}],\
        "usageMetadata":{},"modelVersion":"m","responseId":"r1"}\
        """
            .formatted(parts + "," + call.formatted("\"thoughtSignature\":\"c2VhbDI=\""));
    try (var test = GeminiTest.open("gemini://gemini-3-flash-preview")) {
      var hosted = new HostedTool("gemini", Json.parse("{\"googleSearch\":{}}"));
      var weather = new ToolSpec("weather", "Tells it.", Json.parse("{\"type\":\"object\"}"));
      test.server().answer(new Answer.Sends(answer)).answer(Answer.text("Fine."));
      var first = ChatRequest.of(QUESTION).withHostedTools(hosted).withTools(List.of(weather));
      var reply = test.model().call(first);
      var sunny = new ToolMessage("", "c1", "weather", "Sunny.", false);
      var next = ChatRequest.of(QUESTION, reply.message(), sunny).withHostedTools(hosted);
      test.model().call(next.withTools(List.of(weather)).withToolChoice(new ToolChoice.None()));
      assertThat(sent(test).at("/contents/1/parts").toString()).startsWith("[" + parts + ",");
      assertThat(sent(test).at("/toolConfig/includeServerSideToolInvocations").asBoolean())
          .isTrue();
      assertThat(sent(test).at("/toolConfig/functionCallingConfig/mode").asString())
          .isEqualTo("NONE");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  private static void again(ModelUnderTest test, ChatReply reply, HostedTool tool)
      throws InterruptedException {
    var next = ChatRequest.of(QUESTION, reply.message(), Message.user("Sure?"));
    assertThat(test.model().call(next.withHostedTools(tool)).message().text()).isEqualTo("Yes.");
  }

  private static JsonNode sent(ModelUnderTest test) {
    return JsonMapper.shared().readTree(test.server().lastBody());
  }
}
