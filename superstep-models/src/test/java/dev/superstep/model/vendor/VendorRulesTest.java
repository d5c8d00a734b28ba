package dev.superstep.model.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.CacheHint;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Effort;
import dev.superstep.model.HostedTool;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ToolChoice;
import dev.superstep.model.ToolSpec;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What vendors refuse, and what is sent in its place. The servers enforce the vendors' rules.
class VendorRulesTest {
  private static final ChatRequest GO = ChatRequest.of(Message.user("Go"));
  private static final Json EITHER =
      Json.parse(
          """
          {"anyOf":[{"type":"object","properties":{"type":{"const":"yes"},\
          "next":{"$ref":"#/$defs/Next"}},"required":["type","next"],\
          "additionalProperties":false},{"type":"object","properties":{"type":{"const":"no"}},\
          "required":["type"],"additionalProperties":false}],\
          "$defs":{"Next":{"type":"string"}}}\
          """);
  private static final String YES = "{\"type\":\"yes\",\"next\":\"}\"}";

  /// Each adapter, by a fresh model.
  static Stream<Supplier<ModelUnderTest>> all() {
    return Stream.of(
        () -> new OpenAiTest().open(),
        () -> new OpenAiCompatibleTest().open(),
        () -> new MistralTest().open(),
        () -> new AnthropicTest().open(),
        () -> AnthropicTest.open("anthropic://claude-opus-4-1"),
        () -> new GeminiTest().open(),
        () -> GeminiTest.open("gemini://gemini-3-flash-preview"),
        () -> new OllamaTest().open());
  }

  @ParameterizedTest
  @MethodSource("all")
  void an_answer_of_several_forms_is_one_field_of_an_object(Supplier<ModelUnderTest> opened)
      throws InterruptedException {
    var request = GO.withFormat(new ResponseFormat.JsonSchema("either", EITHER));
    try (var test = opened.get()) {
      test.server()
          .answer(Answer.text("{\"value\": " + YES + "}"))
          .answer(Answer.text("{\"va", "lue\":", "{\"type\":\"yes\"", ",\"next\":\"}\"}", " }"));
      assertThat(test.model().call(request).message().text()).isEqualTo(YES);
      var pieces = new ArrayList<String>();
      var streamed = test.model().stream(request, pieces::add);
      assertThat(streamed.message().text()).isEqualTo(YES);
      assertThat(String.join("", pieces)).isEqualTo(YES);
      assertThat(test.server().refusals()).isEmpty();
      assertThat(test.server().lastBody()).contains("#/$defs/Next");
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void a_text_that_is_no_wrapped_answer_stays_as_it_is(Supplier<ModelUnderTest> opened)
      throws InterruptedException {
    var request = GO.withFormat(new ResponseFormat.JsonSchema("either", EITHER));
    for (var text : List.of(YES, "I cannot.", "{\"value\"", "{\"value\":[1,{}]")) {
      try (var test = opened.get()) {
        test.server().answer(Answer.text(text));
        var said = test.model().call(request).message().text();
        assertThat(said).isEqualTo(text.endsWith("]") ? "[1,{}]" : text);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void tools_have_names_and_schemas_that_vendors_take(Supplier<ModelUnderTest> opened)
      throws InterruptedException {
    var odd = List.of("files.read", "1st", "größe", "a/b", "x".repeat(80), "x".repeat(81), "plain");
    var tools = odd.stream().map(name -> new ToolSpec(name, "Does it.", EITHER)).toList();
    try (var test = opened.get()) {
      var request = GO.withTools(tools);
      test.server().answer(Answer.text("No."));
      test.model().call(request);
      var sent = names(JsonMapper.shared().readTree(test.server().lastBody()));
      assertThat(sent).hasSize(odd.size()).doesNotHaveDuplicates().contains("plain");
      var wrapped = "{\"value\":" + YES + "}";
      for (int i = 0; i < odd.size(); i++) {
        var call = new ToolCall("c" + i, sent.get(i), wrapped);
        test.server().answer(Answer.calls(call)).answer(Answer.calls(call));
        var reply = test.model().call(request).message();
        assertThat(reply.calls().getFirst().tool()).isEqualTo(odd.get(i));
        assertThat(reply.calls().getFirst().arguments()).isEqualTo(YES);
        var streamed = test.model().stream(request, _ -> {}).message();
        assertThat(streamed.calls().getFirst().tool()).isEqualTo(odd.get(i));
        assertThat(streamed.calls().getFirst().arguments()).isEqualTo(YES);
        var id = reply.calls().getFirst().id();
        var answer = new ToolMessage("", id, odd.get(i), "done", false);
        test.server().answer(Answer.text("Good."));
        test.model().call(request.withMessages(List.of(Message.user("Go"), reply, answer)));
        assertThat(test.server().lastBody()).contains(sent.get(i));
      }
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  private static List<String> names(JsonNode body) {
    var names = new ArrayList<String>();
    for (var tool : body.path("tools")) {
      for (var function : tool.path("functionDeclarations")) names.add(name(function));
      if (tool.has("function")) names.add(name(tool.path("function")));
      if (tool.has("name")) names.add(name(tool));
    }
    return names;
  }

  private static String name(JsonNode tool) {
    return tool.path("name").asString("");
  }

  @ParameterizedTest
  @MethodSource("all")
  void every_effort_has_a_level_that_the_model_knows(Supplier<ModelUnderTest> opened)
      throws InterruptedException {
    for (var effort : Effort.values()) {
      try (var test = opened.get()) {
        test.server().answer(Answer.text("Fine."));
        test.model().call(GO.withEffort(effort).withTemperature(0.5).withTopP(0.5));
        assertThat(test.server().refusals()).as("%s", effort).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "claude-opus-4-6, XHIGH, high",
    "claude-opus-4-6, MAX, max",
    "claude-opus-5, XHIGH, xhigh",
    "claude-opus-5, NONE, low",
    "claude-sonnet-5-5, MAX, max"
  })
  void anthropic_has_levels_of_its_own(String model, Effort effort, String word)
      throws InterruptedException {
    var body = body(AnthropicTest.open("anthropic://" + model), GO.withEffort(effort));
    assertThat(body.at("/output_config/effort").asString()).isEqualTo(word);
  }

  @Test
  void a_model_that_cannot_be_made_to_call_is_offered_one_tool() throws InterruptedException {
    var tools =
        List.of(
            new ToolSpec("ping", "Pings.", Json.parse("{\"type\":\"object\"}")),
            new ToolSpec("pong", "Pongs.", Json.parse("{\"type\":\"object\"}")));
    var named = GO.withTools(tools).withToolChoice(new ToolChoice.Named("pong"));
    var body = body(AnthropicTest.open("anthropic://claude-opus-5-5"), named);
    assertThat(names(body)).containsExactly("pong");
    assertThat(body.has("tool_choice")).isFalse();
  }

  @Test
  void the_end_of_a_conversation_is_marked_for_the_cache_of_anthropic()
      throws InterruptedException {
    var thought =
        new Content.Thinking(
            "Hm.",
            java.util.Optional.of(
                new Content.Seal("anthropic", Json.parse("{\"signature\":\"s\"}"))));
    var call = new ToolCall("c1", "ping", "{}");
    var request =
        ChatRequest.of(
                Message.system("Rules."),
                Message.user("Go"),
                new AssistantMessage("", List.of(thought), List.of(call)),
                new ToolMessage("", "c1", "ping", "pong", false))
            .withTools(List.of(new ToolSpec("ping", "Pings.", Json.parse("{\"type\":\"object\"}"))))
            .withPrefix(2, CacheHint.LONG);
    var body = body(new AnthropicTest().open(), request);
    assertThat(body.at("/messages/0/content/0/cache_control/ttl").asString()).isEqualTo("1h");
    assertThat(body.at("/messages/2/content/0/cache_control/type").asString())
        .isEqualTo("ephemeral");
    assertThat(body.findValues("cache_control")).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void what_a_server_thought_before_a_call_goes_back_to_it(boolean isStreamed)
      throws InterruptedException {
    try (var test = new OpenAiCompatibleTest().open()) {
      var tool = new ToolSpec("ping", "Pings.", Json.parse("{\"type\":\"object\"}"));
      var request = GO.withTools(List.of(tool));
      var call = new ToolCall("c1", "ping", "{}");
      test.server()
          .answer(
              new Answer.Says(
                  List.of("First ", "this."), List.of(), List.of(call), Finish.TOOL_CALLS))
          .answer(Answer.text("Done."));
      var reply =
          (isStreamed ? test.model().stream(request, _ -> {}) : test.model().call(request))
              .message();
      assertThat(reply.thinking()).isEqualTo("First this.");
      var answer = new ToolMessage("", "c1", "ping", "pong", false);
      var conversation = List.of(Message.user("Go"), reply, answer);
      assertThat(test.model().call(request.withMessages(conversation)).message().text())
          .isEqualTo("Done.");
      assertThat(test.server().lastBody()).contains("\"reasoning_content\":\"First this.\"");
      var without = List.of(Message.user("Go"), reply.withCalls(reply.calls()), answer);
      var lost =
          without.stream()
              .map(m ->
                  m instanceof AssistantMessage said
                      ? new AssistantMessage("", said.text(), said.calls())
                      : m)
              .toList();
      assertThat(failure(test.model(), request.withMessages(lost)))
          .hasMessageContaining("must be passed back");
    }
  }

  @Test
  void tools_that_run_at_the_vendor_are_sent_to_it_alone() throws InterruptedException {
    var search =
        new HostedTool(
            "anthropic", Json.parse("{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}"));
    var google = new HostedTool("gemini", Json.parse("{\"googleSearch\":{}}"));
    var both = GO.withHostedTools(search, google);
    assertThat(body(new AnthropicTest().open(), both).at("/tools").toString())
        .isEqualTo("[{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}]");
    assertThat(body(new GeminiTest().open(), both).at("/tools").toString())
        .isEqualTo("[{\"googleSearch\":{}}]");
    assertThat(body(new OpenAiTest().open(), both).has("tools")).isFalse();
    var here = new HostedTool("openai", Json.parse("{\"type\":\"web_search\"}"));
    try (var test = new OpenAiTest().open()) {
      assertThat(failure(test.model(), GO.withHostedTools(here)).kind())
          .isEqualTo(Kind.BAD_REQUEST);
      assertThat(test.server().asked()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "429, insufficient_quota",
    "402, Insufficient Balance",
    "400, Your credit balance is too low to access the Anthropic API."
  })
  void an_account_without_credit_is_not_asked_again(int status, String message) {
    for (var opened : all().toList()) {
      try (var test = opened.get()) {
        test.server().answer(Answer.error(status, message));
        var failure = failure(test.model(), GO);
        assertThat(failure.kind()).isEqualTo(Kind.QUOTA);
        assertThat(failure.isRetryable()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "openai, application/pdf, file_data",
    "openai, audio/mpeg, input_audio",
    "openai, video/mp4, ''",
    "server, video/mp4, video_url",
    "anthropic, application/pdf, document",
    "anthropic, audio/wav, ''",
    "gemini, application/pdf, inlineData",
    "gemini, audio/wav, inlineData",
    "gemini, video/mp4, inlineData",
    "ollama, application/pdf, ''"
  })
  void files_go_in_the_form_of_the_vendor_or_are_refused(String vendor, String type, String form)
      throws InterruptedException {
    var file = new Content.File(type, "JVBERi0xLjQK");
    var fromUser = ChatRequest.of(Message.user(new Content.Text("Read it."), file));
    var call = new AssistantMessage("", "", List.of(new ToolCall("c1", "get", "{}")));
    var content = List.<Content>of(new Content.Text("Here."), file);
    var answer = new ToolMessage("", "c1", "get", content, false, java.util.Optional.empty());
    var fromTool = ChatRequest.of(Message.user("Get it."), call, answer);
    for (var request : List.of(fromUser, fromTool)) {
      try (var test = vendor(vendor)) {
        test.server().answer(Answer.text("Read."));
        if (form.isEmpty()) {
          assertThat(failure(test.model(), request)).hasMessageContaining(type);
        } else {
          test.model().call(request);
          assertThat(test.server().lastBody()).contains(form, "JVBERi0xLjQK");
        }
      }
    }
  }

  private static ModelUnderTest vendor(String name) {
    return switch (name) {
      case "openai" -> new OpenAiTest().open();
      case "server" -> new OpenAiCompatibleTest().open();
      case "anthropic" -> new AnthropicTest().open();
      case "gemini" -> new GeminiTest().open();
      default -> new OllamaTest().open();
    };
  }

  @Test
  void a_link_to_a_pdf_is_fetched_by_the_vendor() throws InterruptedException {
    var link = new Content.FileLink("application/pdf", URI.create("https://example.org/a.pdf"));
    var request = ChatRequest.of(Message.user(new Content.Text("Read it."), link));
    assertThat(body(new AnthropicTest().open(), request).toString())
        .contains("{\"type\":\"url\",\"url\":\"https://example.org/a.pdf\"}");
    assertThat(body(new GeminiTest().open(), request).toString())
        .contains("{\"mimeType\":\"application/pdf\",\"fileUri\":\"https://example.org/a.pdf\"}");
  }

  @ParameterizedTest
  @MethodSource("all")
  void a_user_may_speak_right_after_a_tool(Supplier<ModelUnderTest> opened)
      throws InterruptedException {
    var call = new ToolCall("call_1", "look", "{}");
    var picture = new Content.Image("image/png", "iVBORw0KGgo=");
    try (var test = opened.get()) {
      test.server().answer(Answer.calls(call)).answer(Answer.text("Fine."));
      var asked =
          GO.withTools(
              List.of(new ToolSpec("look", "Looks.", Json.parse("{\"type\":\"object\"}"))));
      var reply = test.model().call(asked).message();
      var id = reply.calls().getFirst().id();
      var content = List.<Content>of(new Content.Text("Seen."), picture);
      var seen = new ToolMessage("", id, "look", content, false, Optional.empty());
      var next = List.of(Message.user("Go"), reply, seen, Message.user("And now?"));
      assertThat(test.model().call(ChatRequest.of(next).withTools(asked.tools())).message().text())
          .isEqualTo("Fine.");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void ids_of_calls_of_other_vendors_are_brought_into_form(Supplier<ModelUnderTest> opened)
      throws InterruptedException {
    var look = new ToolSpec("look", "Looks.", Json.parse("{\"type\":\"object\"}"));
    var messages = new ArrayList<Message>(List.of(Message.user("Go")));
    for (var id : List.of("functions.look:0", "x".repeat(90), "call|1", "toolu_1")) {
      messages.add(new AssistantMessage("", "", List.of(new ToolCall(id, "look", "{}"))));
      messages.add(new ToolMessage("", id, "look", "Seen.", false));
    }
    try (var test = opened.get()) {
      test.server().answer(Answer.text("Fine."));
      var request = ChatRequest.of(messages).withTools(List.of(look));
      assertThat(test.model().call(request).message().text()).isEqualTo("Fine.");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void a_mute_server_ends_a_stream_at_its_first_byte(Supplier<ModelUnderTest> opened) {
    try (var test = opened.get()) {
      test.server().answer(new Answer.Hangs());
      var request = GO.withFirstByteTimeout(Duration.ofMillis(200));
      var failure =
          catchThrowableOfType(ModelException.class, () -> test.model().stream(request, _ -> {}));
      assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
      assertThat(failure).hasMessageContaining("did not begin its reply within 0.2 s");
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void a_mute_server_ends_a_whole_call_at_the_limit_of_whole_replies(
      Supplier<ModelUnderTest> opened) {
    try (var test = opened.get()) {
      test.server().answer(new Answer.Hangs());
      var request =
          GO.withWholeReplyTimeout(Duration.ofMillis(200))
              .withFirstByteTimeout(Duration.ofNanos(1));
      var failure = failure(test.model(), request);
      assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
      assertThat(failure).hasMessageContaining("did not begin its reply within 0.2 s");
      assertThat(failure.isRetryable()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void a_server_that_falls_silent_ends_its_stream(Supplier<ModelUnderTest> opened) {
    try (var test = opened.get()) {
      test.server().answer(new Answer.Stalls("first"));
      var request = GO.withIdleTimeout(Duration.ofMillis(200));
      var pieces = new ArrayList<String>();
      var failure =
          catchThrowableOfType(
              ModelException.class, () -> test.model().stream(request, pieces::add));
      assertThat(pieces).containsExactly("first");
      assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
      assertThat(failure).hasMessageContaining("fell silent").hasMessageContaining("0.2 s");
    }
  }

  /// The servers are as strict as is said: each of these is refused by the vendor that it is of.
  @ParameterizedTest
  @EnumSource(WireFormats.class)
  void the_servers_refuse_what_vendors_refuse(WireFormats wire) throws Exception {
    var bad =
        Map.of(
            WireFormats.OPENAI_CHAT,
            List.of(
                "{'model':'gpt-5.2','messages':[]}",
                "{'model':'gpt-5.2','messages':[{'role':'user','content':'a'}],'frob':1}",
                "{'model':'gpt-5.1','messages':[{'role':'user','content':'a'}],"
                    + "'reasoning_effort':'minimal'}",
                "{'model':'gpt-5.2','messages':[{'role':'user','content':'a'}],'tools':[{'type':"
                    + "'function','function':{'name':'a.b','parameters':{'type':'object'}}}]}",
                "{'model':'gpt-5.2','messages':[{'role':'user','content':'a'}],'tools':[{'type':"
                    + "'function','function':{'name':'a','parameters':{'anyOf':[]}}}]}"),
            WireFormats.OPENAI_RESPONSES,
            List.of(
                "{'model':'gpt-5.2','input':[{'role':'user','content':'a'}],'stop':['x']}",
                "{'model':'gpt-5.2','input':[{'type':'reasoning','id':'rs_1'}]"
                    + ",'tools':[{'name':'a'}]}"),
            WireFormats.MISTRAL,
            List.of(
                "{'model':'m','messages':[{'role':'user','content':'a'}],'seed':1}",
                "{'model':'m','messages':[{'role':'assistant','content':null,'tool_calls':[{'id':"
                    + "'c1','function':{'name':'a','arguments':'{}'}}]},"
                    + "{'role':'tool','tool_call_id':'c1','content':'b'}]}"),
            WireFormats.ANTHROPIC,
            List.of(
                "{'model':'claude-opus-4-5','messages':[{'role':'user','content':[{'type':'text',"
                    + "'text':'a'}]}]}",
                "{'model':'claude-opus-4-5','max_tokens':9,'messages':[{'role':'user','content':"
                    + "[{'type':'text','text':' '}]}]}",
                "{'model':'claude-opus-5','max_tokens':9,'temperature':0.5,'messages':[{'role':"
                    + "'user','content':[{'type':'text','text':'a'}]}]}",
                "{'model':'claude-opus-4-5','max_tokens':9,'system':["
                    + "{'type':'text','text':'a','cache_control':{}},".repeat(4)
                    + "{'type':'text','text':'a','cache_control':{}}],'messages':[{'role':'user',"
                    + "'content':[{'type':'text','text':'a'}]}]}"),
            WireFormats.GEMINI,
            List.of(
                "{'contents':[]}",
                "{'contents':[{'role':'user','parts':[{'text':'a'}]}],'generationConfig':"
                    + "{'thinkingConfig':{'thinkingBudget':1,'thinkingLevel':'low'}}}"),
            WireFormats.OLLAMA,
            List.of(
                "{'model':'m','messages':[{'role':'user','content':['a']}]}",
                "{'model':'m','messages':[],'think':'extreme'}"),
            WireFormats.OPENAI_COMPATIBLE,
            List.of("{'model':'m','messages':[{'role':'tool','content':'a'}]}"));
    try (var server = ModelServer.start(wire.format());
        var client = HttpClient.newHttpClient()) {
      for (var body : bad.get(wire)) {
        server.answer(Answer.text("Fine."));
        var request =
            HttpRequest.newBuilder(URI.create(server.url() + "/v1/models/m:generateContent"))
                .POST(HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
        var reply = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(reply.statusCode()).as(body).isEqualTo(400);
      }
      assertThat(server.refusals()).hasSizeGreaterThanOrEqualTo(bad.get(wire).size());
    }
  }

  private static JsonNode body(ModelUnderTest opened, ChatRequest request)
      throws InterruptedException {
    try (var test = opened) {
      test.server().answer(Answer.text("Fine."));
      test.model().call(request);
      return JsonMapper.shared().readTree(test.server().lastBody());
    }
  }

  private static ModelException failure(ChatModel model, ChatRequest request) {
    return catchThrowableOfType(ModelException.class, () -> model.call(request));
  }
}
