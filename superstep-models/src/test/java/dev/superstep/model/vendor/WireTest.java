package dev.superstep.model.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ResponseFormat;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelUnderTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What goes over the wire to one vendor and not to the others.
class WireTest {
  private static final ResponseFormat VERDICT =
      new ResponseFormat.JsonSchema(
          "the verdict",
          Json.parse(
              """
              {"type":"object","properties":{"kind":{"const":"spam","minLength":1}},\
              "required":["kind"],"additionalProperties":false}\
              """));

  private static final ChatRequest FULL =
      ChatRequest.of(
              Message.user("Go"),
              new AssistantMessage(
                  "", "", List.of(new ToolCall("c1", "search", "{\"query\":\"x\"}"))),
              new ToolMessage("", "c1", "search", "failed", true))
          .withTools(List.of(ChatModelSuite.SEARCH))
          .withFormat(VERDICT)
          .withMaxTokens(99)
          .withSeed(5_000_000_000L);

  @Test
  @Tag("P27")
  void openai_gets_a_strict_schema_the_newer_limit_and_the_whole_seed()
      throws InterruptedException {
    var body = body(new OpenAiTest().open());
    assertThat(body.at("/response_format/type").asString()).isEqualTo("json_schema");
    assertThat(body.at("/response_format/json_schema/name").asString()).isEqualTo("the_verdict");
    assertThat(body.at("/response_format/json_schema/strict").asBoolean()).isTrue();
    assertThat(body.at("/response_format/json_schema/schema").toString()).contains("minLength");
    assertThat(body.at("/max_completion_tokens").asInt()).isEqualTo(99);
    assertThat(body.has("max_tokens")).isFalse();
    assertThat(body.at("/seed").asLong()).isEqualTo(5_000_000_000L);
    assertThat(body.at("/tools/0/function/parameters/properties/query/minLength").asInt())
        .isEqualTo(2);
  }

  @Test
  @Tag("P27")
  void other_servers_get_the_older_limit() throws InterruptedException {
    var body = body(new OpenAiCompatibleTest().open());
    assertThat(body.at("/max_tokens").asInt()).isEqualTo(99);
    assertThat(body.at("/model").asString()).isEqualTo("org/my-model");
    assertThat(body.at("/response_format/type").asString()).isEqualTo("json_schema");
  }

  @Test
  @Tag("P27")
  void mistral_gets_a_schema_and_its_own_name_for_the_seed() throws InterruptedException {
    var body = body(new MistralTest().open());
    assertThat(body.at("/response_format/json_schema/strict").asBoolean()).isTrue();
    assertThat(body.at("/random_seed").isInt()).isTrue();
    assertThat(body.has("stream_options")).isFalse();
  }

  @Test
  @Tag("P27")
  void anthropic_gets_the_schema_and_learns_of_failed_tools() throws InterruptedException {
    var body = body(new AnthropicTest().open());
    assertThat(body.at("/output_config/format/type").asString()).isEqualTo("json_schema");
    assertThat(body.at("/output_config/format/schema/properties/kind").toString())
        .isEqualTo("{\"const\":\"spam\"}");
    assertThat(body.has("system")).isFalse();
    assertThat(body.at("/messages/2/content/0/is_error").asBoolean()).isTrue();
    assertThat(body.at("/tools/0/input_schema/properties/query/minLength").asInt()).isEqualTo(2);
    assertThat(body.toString()).doesNotContain("seed");
  }

  @Test
  @Tag("P27")
  void older_models_of_anthropic_get_the_schema_as_a_prompt() throws InterruptedException {
    var body = body(AnthropicTest.open("anthropic://claude-opus-4-1"));
    assertThat(body.at("/system").toString()).contains("exactly one JSON value", "spam");
    assertThat(body.has("output_config")).isFalse();
  }

  @Test
  @Tag("P27")
  void gemini_gets_a_schema_without_unsupported_keywords() throws InterruptedException {
    var body = body(GeminiTest.open("gemini://gemini-3-flash-preview"));
    var config = body.at("/generationConfig");
    assertThat(config.at("/responseMimeType").asString()).isEqualTo("application/json");
    assertThat(config.at("/responseJsonSchema/properties/kind").toString())
        .isEqualTo("{\"enum\":[\"spam\"]}");
    var tool = body.at("/tools/0/functionDeclarations/0");
    assertThat(tool.at("/parametersJsonSchema/properties/state/$ref").asString())
        .isEqualTo("#/$defs/State");
    assertThat(tool.has("parameters")).isFalse();
  }

  @Test
  @Tag("P27")
  void ollama_gets_a_schema_and_the_names_of_tools() throws InterruptedException {
    var body = body(new OllamaTest().open());
    assertThat(body.at("/format/properties/kind/const").asString()).isEqualTo("spam");
    assertThat(body.at("/options/seed").asLong()).isEqualTo(5_000_000_000L);
    assertThat(body.at("/messages/2/tool_name").asString()).isEqualTo("search");
    assertThat(body.at("/model").asString()).isEqualTo("qwen3:8b");
  }

  @Test
  void a_schema_that_strict_mode_refuses_goes_without_it() throws InterruptedException {
    var loose = Json.parse("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}");
    try (var test = new OpenAiTest().open()) {
      test.server().answer(Answer.text("{}"));
      test.model()
          .call(
              ChatRequest.of(Message.user("Go"))
                  .withFormat(new ResponseFormat.JsonSchema("a", loose)));
      var body = JsonMapper.shared().readTree(test.server().lastBody());
      assertThat(body.at("/response_format/json_schema/strict").asBoolean(true)).isFalse();
      assertThat(body.at("/response_format/json_schema/schema").size()).isEqualTo(2);
    }
  }

  @Test
  void a_refusal_by_openai_is_typed() {
    var body =
        """
        {"choices":[{"index":0,"message":{"role":"assistant","refusal":"I can't."},\
        "finish_reason":"stop"}]}\
        """;
    assertThat(failure(new OpenAiTest().open(), new Answer.Sends(body)).kind())
        .isEqualTo(Kind.REFUSED);
  }

  @Test
  void a_prompt_that_gemini_blocks_is_refused() {
    var body = "{\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}";
    assertThat(failure(new GeminiTest().open(), new Answer.Sends(body)))
        .hasMessageContaining("SAFETY")
        .extracting(ModelException::kind)
        .isEqualTo(Kind.REFUSED);
  }

  @Test
  void a_key_that_google_does_not_know_is_an_auth_error() {
    var answer = Answer.error(400, "API key not valid. reason: API_KEY_INVALID");
    assertThat(failure(new GeminiTest().open(), answer))
        .hasMessageContaining("GEMINI_API_KEY")
        .extracting(ModelException::kind)
        .isEqualTo(Kind.AUTH);
  }

  @Test
  void a_tool_call_without_a_type_is_not_lost() throws InterruptedException {
    var body =
        """
        {"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":\
        [{"id":"c1","function":{"name":"ping","arguments":"{}"}}]}}]}\
        """;
    try (var test = new OpenAiCompatibleTest().open()) {
      test.server().answer(new Answer.Sends(body));
      var reply = test.model().call(ChatRequest.of(Message.user("Go")));
      assertThat(reply.message().calls()).containsExactly(new ToolCall("c1", "ping", "{}"));
    }
  }

  @Test
  void texts_of_several_blocks_are_joined_as_in_a_stream() throws InterruptedException {
    var body =
        """
        {"content":[{"type":"text","text":"one "},{"type":"text","text":"two"}],\
        "stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}\
        """;
    try (var test = new AnthropicTest().open()) {
      test.server().answer(new Answer.Sends(body));
      var reply = test.model().call(ChatRequest.of(Message.user("Go")));
      assertThat(reply.message().text()).isEqualTo("one two");
    }
  }

  @Test
  void a_date_to_wait_for_is_measured_by_the_clock_of_the_server() {
    var headers = Map.of("retry-after", "Fri, 01 Jan 2100 00:00:00 GMT");
    var failure = failure(new OpenAiTest().open(), new Answer.Fails(429, headers, "Slow down"));
    assertThat(failure.retryAfter().orElseThrow()).isGreaterThan(Duration.ofDays(1));
  }

  @Test
  void a_redirect_is_not_followed() {
    var headers = Map.of("location", "http://127.0.0.1:1/elsewhere");
    assertThat(failure(new OpenAiTest().open(), new Answer.Fails(307, headers, "")).kind())
        .isEqualTo(Kind.UNAVAILABLE);
  }

  private static JsonNode body(ModelUnderTest opened) throws InterruptedException {
    try (var test = opened) {
      test.server().answer(Answer.text("{}"));
      test.model().call(FULL);
      return JsonMapper.shared().readTree(test.server().lastBody());
    }
  }

  private static ModelException failure(ModelUnderTest opened, Answer answer) {
    try (var test = opened) {
      test.server().answer(answer);
      return catchThrowableOfType(
          ModelException.class, () -> test.model().call(ChatRequest.of(Message.user("Go"))));
    }
  }
}
