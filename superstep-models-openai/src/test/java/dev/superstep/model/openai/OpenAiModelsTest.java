package dev.superstep.model.openai;

import static dev.superstep.model.ModelException.Kind.BAD_URL;
import static dev.superstep.model.ModelException.Kind.OVERLOADED;
import static dev.superstep.model.ModelException.Kind.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.json.Json;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Effort;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ResponseFormat;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class OpenAiModelsTest {
  private static final ChatRequest GO = ChatRequest.of(Message.user("Go"));

  @ParameterizedTest
  @CsvSource({"'', /v1/responses", "responses, /v1/responses", "chat, /v1/chat/completions"})
  void a_variable_chooses_how_models_are_asked(String choice, String path)
      throws InterruptedException {
    var wire = choice.equals("chat") ? WireFormats.OPENAI_CHAT : WireFormats.OPENAI_RESPONSES;
    try (var server = ModelServer.start(wire.format())) {
      server.answer(Answer.error(500, "It does not matter."));
      var environment =
          Environment.of(
              Map.of(
                  "OPENAI_API_KEY",
                  "k",
                  "SUPERSTEP_OPENAI_BASE_URL",
                  server.url() + "/v1",
                  "SUPERSTEP_OPENAI_API",
                  choice));
      var ref = ModelRef.parse("openai://gpt-5.2");
      assertThat(ModelProviders.of(ref)).isInstanceOf(OpenAiModels.class);
      var model = ModelProviders.open(ref, environment);
      assertThat(catchThrowableOfType(ModelException.class, () -> model.call(GO)).kind())
          .isEqualTo(OVERLOADED);
      assertThat(server.asked().getFirst().path()).isEqualTo(path);
    }
  }

  @Test
  void another_choice_is_an_error_that_names_both() {
    var environment = Environment.of(Map.of("OPENAI_API_KEY", "k", "SUPERSTEP_OPENAI_API", "x"));
    var failure =
        catchThrowableOfType(
            ModelException.class,
            () -> ModelProviders.open(ModelRef.parse("openai://gpt-5.2"), environment));
    assertThat(failure.kind()).isEqualTo(BAD_URL);
    assertThat(failure).hasMessageContainingAll("responses", "chat");
  }

  @Test
  void nothing_is_stored_and_thoughts_come_back_encrypted() throws InterruptedException {
    try (var test = new OpenAiResponsesTest().open()) {
      test.server()
          .answer(
              new Answer.Says(
                  List.of("Hm."),
                  List.of(),
                  List.of(new ToolCall("c1", "ping", "{}")),
                  dev.superstep.model.ChatReply.Finish.TOOL_CALLS))
          .answer(Answer.text("Done."));
      var tools = GO.withTools(List.of(ChatModelSuite.PING)).withEffort(Effort.LOW);
      var reply = test.model().call(tools).message();
      var first = JsonMapper.shared().readTree(test.server().lastBody());
      assertThat(first.path("store").asBoolean(true)).isFalse();
      assertThat(first.at("/include/0").asString()).isEqualTo("reasoning.encrypted_content");
      assertThat(first.at("/reasoning/effort").asString()).isEqualTo("low");
      assertThat(first.at("/tools/0/strict").asBoolean(true)).isFalse();
      var answer = new ToolMessage("", "c1", "ping", "pong", false);
      test.model().call(tools.withMessages(List.of(Message.user("Go"), reply, answer)));
      var input = JsonMapper.shared().readTree(test.server().lastBody()).path("input");
      assertThat(input.get(1).path("encrypted_content").asString()).isEqualTo(Answer.Says.SEAL);
      assertThat(input.get(2).path("type").asString()).isEqualTo("function_call");
      assertThat(input.get(3).path("output").asString()).isEqualTo("pong");
    }
  }

  @Test
  void a_schema_is_strict_where_it_can_be() throws InterruptedException {
    var schema =
        Json.parse(
            """
            {"type":"object","properties":{"a":{"type":"string"}},"required":["a"],\
            "additionalProperties":false}\
            """);
    try (var test = new OpenAiResponsesTest().open()) {
      test.server().answer(Answer.text("{}"));
      test.model().call(GO.withFormat(new ResponseFormat.JsonSchema("it", schema)));
      var format = JsonMapper.shared().readTree(test.server().lastBody()).at("/text/format");
      assertThat(format.path("type").asString()).isEqualTo("json_schema");
      assertThat(format.path("name").asString()).isEqualTo("it");
      assertThat(format.path("strict").asBoolean(false)).isTrue();
      assertThat(format.path("schema").toString()).isEqualTo(schema.text());
    }
  }

  @Test
  void a_vendor_option_may_extend_a_field_set_by_a_method() throws InterruptedException {
    try (var test = new OpenAiResponsesTest().open()) {
      test.server().answer(Answer.text("a"));
      var summary = Json.parse("{\"reasoning\":{\"summary\":\"auto\"}}");
      test.model().call(GO.withEffort(Effort.HIGH).withVendorOptions(summary));
      assertThat(test.server().lastBody())
          .contains("\"reasoning\":{\"effort\":\"high\",\"summary\":\"auto\"}");
    }
  }

  @Test
  void built_in_tool_calls_of_openai_are_kept_and_sent_back() throws InterruptedException {
    var body =
        """
        {"id":"r1","model":"m","status":"completed","error":null,"output":[\
        {"type":"web_search_call","id":"ws_1","status":"completed"},\
        {"type":"message","role":"assistant","content":[{"type":"output_text","text":"Found."}]}],\
        "usage":{"input_tokens":1,"output_tokens":1}}\
        """;
    try (var test = new OpenAiResponsesTest().open()) {
      test.server().answer(new Answer.Sends(body)).answer(Answer.text("Done."));
      var reply = test.model().call(GO).message();
      assertThat(reply.text()).isEqualTo("Found.");
      assertThat(reply.content().getFirst()).isInstanceOf(Content.Extension.class);
      test.model().call(ChatRequest.of(Message.user("Go"), reply, Message.user("On")));
      assertThat(test.server().lastBody()).contains("ws_1");
    }
  }

  @Test
  void a_refusal_and_a_failed_response_are_typed() {
    var refusal =
        """
        {"id":"r1","status":"completed","error":null,"output":[{"type":"message",\
        "content":[{"type":"refusal","refusal":"I can't."}]}]}\
        """;
    var failed =
        """
        {"id":"r1","status":"failed","output":[],\
        "error":{"code":"server_error","message":"Too busy."}}\
        """;
    try (var test = new OpenAiResponsesTest().open()) {
      test.server().answer(new Answer.Sends(refusal)).answer(new Answer.Sends(failed));
      assertThat(failure(test).kind()).isEqualTo(REFUSED);
      assertThat(failure(test).kind()).isEqualTo(OVERLOADED);
    }
  }

  private static ModelException failure(ModelUnderTest test) {
    return catchThrowableOfType(ModelException.class, () -> test.model().call(GO));
  }
}
