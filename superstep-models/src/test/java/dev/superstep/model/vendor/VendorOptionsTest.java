package dev.superstep.model.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.CacheHint;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Effort;
import dev.superstep.model.ToolChoice;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelUnderTest;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// How each vendor is told of effort, choices and what it is to keep, and given back its thoughts.
class VendorOptionsTest {
  private static final ChatRequest GO = ChatRequest.of(Message.user("Go"));
  private static final ChatRequest TOOLS =
      GO.withTools(List.of(ChatModelSuite.SEARCH, ChatModelSuite.PING));

  @ParameterizedTest
  @CsvSource({
    "claude-opus-4-5, LOW, 2048, 10240",
    "claude-sonnet-4-20250514, MEDIUM, 8192, 16384",
    "claude-3-7-sonnet-latest, HIGH, 16384, 24576",
    "claude-opus-4-1-20250805, HIGH, 16384, 24576"
  })
  void a_budget_for_thoughts_comes_on_top_of_the_answer(
      String model, Effort effort, int budget, int limit) throws InterruptedException {
    var body = anthropic(model, GO.withEffort(effort));
    assertThat(body.at("/thinking/type").asString()).isEqualTo("enabled");
    assertThat(body.at("/thinking/budget_tokens").asInt()).isEqualTo(budget);
    assertThat(body.at("/max_tokens").asInt()).isEqualTo(limit);
    assertThat(body.has("output_config")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "claude-opus-4-6, LOW, low",
    "claude-sonnet-5, HIGH, high",
    "claude-new, MEDIUM, medium"
  })
  void newer_models_decide_themselves_within_an_effort(String model, Effort effort, String word)
      throws InterruptedException {
    var body = anthropic(model, GO.withEffort(effort));
    assertThat(body.at("/thinking/type").asString()).isEqualTo("adaptive");
    assertThat(body.at("/output_config/effort").asString()).isEqualTo(word);
    assertThat(body.at("/thinking").has("budget_tokens")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"claude-3-5-haiku-latest, HIGH", "claude-opus-4-5, MINIMAL"})
  void a_model_that_cannot_think_or_need_not_is_not_told_to(String model, Effort effort)
      throws InterruptedException {
    assertThat(anthropic(model, GO.withEffort(effort)).has("thinking")).isFalse();
  }

  @Test
  void anthropic_does_not_think_where_it_would_refuse_to() throws InterruptedException {
    var forced = TOOLS.withEffort(Effort.HIGH).withToolChoice(new ToolChoice.Required());
    assertThat(anthropic("claude-opus-4-5", forced).has("thinking")).isFalse();
    var call = new ToolCall("c1", "ping", "{}");
    var byAnother =
        ChatRequest.of(
                Message.user("Go"),
                new AssistantMessage("", "", List.of(call)),
                new ToolMessage("", "c1", "ping", "pong", false))
            .withTools(TOOLS.tools())
            .withEffort(Effort.HIGH);
    assertThat(anthropic("claude-opus-4-5", byAnother).has("thinking")).isFalse();
  }

  @Test
  void the_prefix_is_marked_for_the_cache_of_anthropic() throws InterruptedException {
    var request =
        ChatRequest.of(
                Message.system("Rules."),
                Message.user("A long document."),
                Message.assistant("Read."),
                Message.user("A question."))
            .withTools(TOOLS.tools());
    var kept = anthropic("claude-opus-4-5", request.withPrefix(3, CacheHint.LONG));
    assertThat(kept.at("/tools/1/cache_control/ttl").asString()).isEqualTo("1h");
    assertThat(kept.at("/system/0/cache_control/ttl").asString()).isEqualTo("1h");
    assertThat(kept.at("/messages/1/content/0/cache_control/ttl").asString()).isEqualTo("1h");
    // The conversation ends in a mark, too, that lasts until the next turn.
    assertThat(kept.at("/messages/2/content/0/cache_control").toString())
        .isEqualTo("{\"type\":\"ephemeral\"}");
    assertThat(kept.findValues("cache_control")).hasSize(4);
    var shortly = anthropic("claude-opus-4-5", request.withPrefix(1, CacheHint.SHORT));
    assertThat(shortly.at("/system/0/cache_control").toString())
        .isEqualTo("{\"type\":\"ephemeral\"}");
    assertThat(shortly.findValues("cache_control")).hasSize(3);
    var not = anthropic("claude-opus-4-5", request.withPrefix(3, CacheHint.NONE));
    assertThat(not.findValues("cache_control")).isEmpty();
  }

  @Test
  void anthropic_gets_its_thoughts_back_unchanged_and_in_order() throws InterruptedException {
    var body =
        """
        {"content":[{"type":"thinking","thinking":"One.","signature":"sig-1"},\
        {"type":"redacted_thinking","data":"hidden"},\
        {"type":"thinking","thinking":"","signature":"sig-2"},\
        {"type":"text","text":"I call."},\
        {"type":"tool_use","id":"c1","name":"ping","input":{"n":1.50}}],\
        "stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}\
        """;
    try (var test = new AnthropicTest().open()) {
      test.server().answer(new Answer.Sends(body)).answer(Answer.text("Done."));
      var reply = test.model().call(TOOLS).message();
      assertThat(reply.content()).hasSize(4).last().isEqualTo(new Content.Text("I call."));
      assertThat(reply.calls().getFirst().arguments()).isEqualTo("{\"n\":1.50}");
      var answer = new ToolMessage("", "c1", "ping", "pong", false);
      test.model().call(TOOLS.withMessages(List.of(Message.user("Go"), reply, answer)));
      var sent = JsonMapper.shared().readTree(test.server().lastBody()).at("/messages/1/content");
      assertThat(
              StreamSupport.stream(sent.spliterator(), false).map(b -> b.path("type").asString()))
          .containsExactly("thinking", "redacted_thinking", "thinking", "text", "tool_use");
      assertThat(test.server().lastBody()).contains("sig-1", "sig-2", "hidden", "\"n\":1.50");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "gemini-2.5-flash, MINIMAL, thinkingBudget, 0",
    "gemini-2.5-pro, MINIMAL, thinkingBudget, 128",
    "gemini-2.5-flash, HIGH, thinkingBudget, 24576",
    "gemini-3-pro-preview, MEDIUM, thinkingLevel, high",
    "gemini-3.1-pro, MINIMAL, thinkingLevel, low",
    "gemini-3-flash, MINIMAL, thinkingLevel, minimal"
  })
  void gemini_is_told_a_budget_or_a_level(String model, Effort effort, String field, String value)
      throws InterruptedException {
    var body = body(GeminiTest.open("gemini://" + model), GO.withEffort(effort));
    var thinking = body.at("/generationConfig/thinkingConfig");
    assertThat(thinking.path(field).asString()).isEqualTo(value);
    assertThat(thinking.path("includeThoughts").asBoolean(false))
        .isEqualTo(effort != Effort.MINIMAL);
  }

  @Test
  void the_signature_of_a_gemini_answer_is_sent_back_after_it() throws InterruptedException {
    var body =
        """
        {"candidates":[{"content":{"parts":[{"text":"Hello.","thoughtSignature":"sig-1"}]},\
        "finishReason":"STOP"}]}\
        """;
    try (var test = new GeminiTest().open()) {
      test.server().answer(new Answer.Sends(body)).answer(Answer.text("Done."));
      var reply = test.model().call(GO).message();
      assertThat(reply.text()).isEqualTo("Hello.");
      test.model().call(ChatRequest.of(Message.user("Go"), reply, Message.user("On")));
      var parts = JsonMapper.shared().readTree(test.server().lastBody()).at("/contents/1/parts");
      assertThat(parts.toString())
          .isEqualTo("[{\"text\":\"Hello.\"},{\"text\":\"\",\"thoughtSignature\":\"sig-1\"}]");
    }
  }

  @Test
  void a_forced_call_has_a_form_of_its_own_for_each_vendor() throws InterruptedException {
    var named = TOOLS.withToolChoice(new ToolChoice.Named("ping"));
    assertThat(body(new OpenAiTest().open(), named).at("/tool_choice/function/name").asString())
        .isEqualTo("ping");
    assertThat(body(new AnthropicTest().open(), named).at("/tool_choice").toString())
        .isEqualTo("{\"type\":\"tool\",\"name\":\"ping\"}");
    assertThat(
            body(new GeminiTest().open(), named).at("/toolConfig/functionCallingConfig").toString())
        .isEqualTo("{\"mode\":\"ANY\",\"allowedFunctionNames\":[\"ping\"]}");
    assertThat(body(new OllamaTest().open(), named).at("/tools")).hasSize(1);
    var required = TOOLS.withToolChoice(new ToolChoice.Required());
    assertThat(body(new MistralTest().open(), required).at("/tool_choice").asString())
        .isEqualTo("any");
    assertThat(body(new OpenAiTest().open(), required).at("/tool_choice").asString())
        .isEqualTo("required");
  }

  @Test
  void effort_has_the_word_of_the_vendor() throws InterruptedException {
    var high = GO.withEffort(Effort.HIGH);
    assertThat(body(new OpenAiTest().open(), high).at("/reasoning_effort").asString())
        .isEqualTo("high");
    assertThat(body(new OllamaTest().open(), high).at("/think").asBoolean()).isTrue();
    assertThat(body(new MistralTest().open(), high).has("reasoning_effort")).isFalse();
  }

  @Test
  void thoughts_between_tags_are_thoughts_at_model_servers() throws InterruptedException {
    try (var test = new OpenAiCompatibleTest().open()) {
      test.server().answer(Answer.text("<think>Hmm.</think>\n\nYes, <think> is a tag."));
      test.server()
          .answer(Answer.text("<thi", "nk>Hm", "m.</", "think>\n", "\nYes, <think> is a tag."));
      for (var reply : List.of(test.model().call(GO), test.model().stream(GO, _ -> {}))) {
        assertThat(reply.message().thinking()).isEqualTo("Hmm.");
        assertThat(reply.message().text()).isEqualTo("Yes, <think> is a tag.");
      }
    }
  }

  private static JsonNode anthropic(String model, ChatRequest request) throws InterruptedException {
    return body(AnthropicTest.open("anthropic://" + model), request);
  }

  private static JsonNode body(ModelUnderTest opened, ChatRequest request)
      throws InterruptedException {
    try (var test = opened) {
      test.server().answer(Answer.text("{}"));
      test.model().call(request);
      return JsonMapper.shared().readTree(test.server().lastBody());
    }
  }
}
