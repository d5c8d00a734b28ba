package dev.superstep.model.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.HostedFees;
import dev.superstep.budget.Prices;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.Citation;
import dev.superstep.message.HostedFile;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.hosted.HostedToolUnavailable;
import dev.superstep.middleware.hosted.HostedTools;
import dev.superstep.middleware.hosted.HostedUse;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.HostedTool;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.ModelUnderTest;
import java.math.BigDecimal;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Agents with tools that run at a vendor. The replies are written by the vendors' documents, and
/// were not recorded.
@Timeout(60)
class HostedAgentTest {
  private static final String CITATION =
      """
      {"type":"web_search_result_location","url":"https://won.example","title":"Who won",\
      "encrypted_index":"x","cited_text":"She won."}\
      """;
  private static final String SEARCHING =
      """
      {"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"won"}}\
      """;
  private static final String RESULT =
      """
      {"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}\
      """;
  private static final String CLAUDE =
      """
      {"id":"msg_1","type":"message","role":"assistant","model":"m","content":[%s,%s,\
      {"type":"text","text":"She did.","citations":[%s]}],"stop_reason":"end_turn",\
      "usage":{"input_tokens":6,"output_tokens":7}}\
      """
          .formatted(SEARCHING, RESULT, CITATION);

  private static JsonNode sent(ModelUnderTest test) {
    return JsonMapper.shared().readTree(test.server().lastBody());
  }

  private static Agent<String> agent(ChatModel model, HostedTools tools) {
    return Agent.named("news").model(model).middleware(tools).build();
  }

  @Test
  void an_agent_searches_by_the_form_of_the_vendor_that_it_asks_and_tells_its_sources()
      throws Exception {
    try (var test = AnthropicTest.open("anthropic://claude-opus-4-6")) {
      test.server().answer(new Answer.Sends(CLAUDE));
      var used = new ArrayList<Event>();
      var options =
          RunOptions.defaults()
              .listener(event -> {
                if (event.toString().contains(HostedTools.USED)) used.add(event);
              });
      var result = agent(test.model(), HostedTools.webSearch()).run("Who won?", options);
      assertThat(result.answer()).isEqualTo("She did.");
      assertThat(sent(test).at("/tools/0/name").asString()).isEqualTo("web_search");
      var said = result.report().conversation().getLast();
      assertThat(Citation.of(said))
          .containsExactly(new Citation("https://won.example", "Who won", "She won."));
      assertThat(used).singleElement().asString().contains("web_search");
      test.server().answer(Answer.text("Yes."));
      // What is said again to the vendor has no citation of ours.
      test.model().call(ChatRequest.of(List.of(Message.user("Who?"), said, Message.user("Sure?"))));
      assertThat(sent(test).toString()).doesNotContain("won.example");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @Test
  void a_streamed_reply_has_the_same_sources() throws Exception {
    var stream =
        """
        data: {"type":"message_start","message":{"id":"msg_1","model":"m","usage":{}}}

        data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

        data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"She "}}

        data: {"type":"content_block_delta","index":0,"delta":{"type":"citations_delta",\
        "citation":%s}}

        data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"did."}}

        data: {"type":"content_block_stop","index":0}

        data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{}}

        data: {"type":"message_stop"}

        """
            .formatted(CITATION);
    try (var test = AnthropicTest.open("anthropic://claude-opus-4-6")) {
      test.server().answer(new Answer.Sends(stream));
      var reply = test.model().stream(ChatRequest.of(Message.user("Who won?")), _ -> {});
      assertThat(reply.message().text()).isEqualTo("She did.");
      assertThat(reply.message().content()).hasSize(2);
      assertThat(Citation.of(reply.message()))
          .extracting(Citation::title)
          .containsExactly("Who won");
    }
  }

  @Test
  void gemini_names_its_sources_beside_the_text() throws Exception {
    var answer =
        """
        {"candidates":[{"content":{"role":"model","parts":[{"executableCode":{"code":"1"}},\
        {"text":"She did."}]},"finishReason":"STOP","groundingMetadata":{"groundingChunks":[\
        {"web":{"uri":"https://won.example","title":"won.example"}}]}}],"usageMetadata":{}}\
        """;
    try (var test = GeminiTest.open("gemini://gemini-3-flash-preview")) {
      test.server().answer(new Answer.Sends(answer));
      var tools = HostedTools.webSearch().and(HostedTools.codeExecution());
      var request = tools.in(ChatRequest.of(Message.user("Who won?")), "gemini");
      var reply = test.model().call(request);
      assertThat(sent(test).path("tools").toString()).contains("googleSearch", "codeExecution");
      var use = HostedUse.of("news", reply);
      assertThat(use.calls()).isEqualTo(Map.of("code_execution", 1));
      assertThat(use.citations()).isEqualTo(1);
    }
  }

  @Test
  void a_vendor_without_the_tool_is_not_asked() {
    var model = ScriptedModel.saying("Guessed.");
    assertThatThrownBy(() -> agent(model, HostedTools.webSearch()).run("Who won?"))
        .isInstanceOf(HostedToolUnavailable.class)
        .hasMessageContaining("`scripted` has no web search here")
        .hasMessageContaining("anthropic, gemini, openai");
    assertThat(model.calls()).isZero();
    assertThatThrownBy(() -> HostedTools.fileSearch("mistral", "s1"))
        .isInstanceOf(HostedToolUnavailable.class);
  }

  @Test
  void each_vendor_gets_its_own_form_of_each_tool() {
    var all =
        HostedTools.webSearch()
            .and(HostedTools.codeExecution())
            .and(HostedTools.fileSearch("openai", "vs_1"))
            .and(HostedTools.remoteMcp("docs", URI.create("https://docs.example/mcp")));
    var request = all.in(ChatRequest.of(Message.user("?")), "openai");
    assertThat(request.hostedTools())
        .extracting(tool -> tool.definition().text())
        .containsExactlyInAnyOrder(
            "{\"type\":\"web_search\"}",
            "{\"type\":\"code_interpreter\",\"container\":{\"type\":\"auto\"}}",
            "{\"type\":\"file_search\",\"vector_store_ids\":[\"vs_1\"]}",
            "{\"type\":\"mcp\",\"server_label\":\"docs\",\"server_url\":\"https://docs.example/mcp\",\"require_approval\":\"never\"}");
  }

  private static final String RAN =
      """
      {"type":"server_tool_use","id":"srvtoolu_1","name":"bash_code_execution",\
      "input":{"command":"plot"}},{"type":"bash_code_execution_tool_result","tool_use_id":\
      "srvtoolu_1","content":{"type":"bash_code_execution_result","stdout":"","stderr":"",\
      "return_code":0,"content":[{"type":"bash_code_execution_output","file_id":"file_1"}]}}\
      """;
  private static final String ASKED_SERVER =
      """
      {"type":"mcp_tool_use","id":"mcptoolu_1","name":"echo","server_name":"docs",\
      "input":{"a":1}},{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","is_error":false,\
      "content":[{"type":"text","text":"1"}]}\
      """;

  private static String claude(String stop, String blocks) {
    return """
    {"id":"msg_1","type":"message","role":"assistant","model":"m","content":[%s],\
    "stop_reason":"%s","container":{"id":"container_1"},\
    "usage":{"input_tokens":6,"output_tokens":7}}\
    """
        .formatted(blocks, stop);
  }

  @Test
  void code_and_servers_at_anthropic_are_asked_for_by_their_betas_and_go_back_exactly()
      throws Exception {
    try (var test = AnthropicTest.open("anthropic://claude-opus-4-6")) {
      var said = "{\"type\":\"text\",\"text\":\"Plotted.\"}";
      test.server()
          .answer(new Answer.Sends(claude("end_turn", RAN + "," + ASKED_SERVER + "," + said)))
          .answer(Answer.text("Yes."));
      var tools =
          HostedTools.codeExecution()
              .and(HostedTools.remoteMcp("docs", URI.create("https://docs.example/mcp"), "echo"));
      var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
      var agent = agent(test.model(), tools);
      var result = agent.run("Plot it.", options);
      assertThat(HostedFile.of(result.report().conversation().getLast()))
          .containsExactly(new HostedFile("anthropic", "file_1", "", ""));
      agent.run("Sure?", options);
      assertThat(test.server().asked().getLast().betas())
          .isEqualTo("code-execution-2025-08-25,mcp-client-2025-11-20");
      assertThat(sent(test).path("mcp_servers").toString())
          .isEqualTo("[{\"type\":\"url\",\"url\":\"https://docs.example/mcp\",\"name\":\"docs\"}]");
      assertThat(sent(test).path("tools").toString())
          .contains(
              "{\"type\":\"code_execution_20250825\",\"name\":\"code_execution\"",
              "\"mcp_server_name\":\"docs\",\"default_config\":{\"enabled\":false},\"configs\":{\"echo\":{\"enabled\":true}}");
      assertThat(sent(test).at("/messages/1/content").toString())
          .isEqualTo("[" + RAN + "," + ASKED_SERVER + "," + said + "]");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @Test
  void a_server_without_tls_and_a_field_that_a_method_sets_are_refused() throws Exception {
    assertThatThrownBy(() -> HostedTools.remoteMcp("docs", URI.create("http://docs.example")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("https only");
    try (var test = AnthropicTest.open("anthropic://claude-opus-4-6")) {
      var tool = new HostedTool("anthropic", Json.parse("{\"type\":\"x\",\"name\":\"x\"}"));
      for (var fields : List.of("{\"messages\":[]}", "{\"extra\":1}", "{\"max_tokens\":[1]}")) {
        var request =
            ChatRequest.of(Message.user("?")).withHostedTools(tool.withFields(Json.parse(fields)));
        assertThatThrownBy(() -> test.model().call(request))
            .isInstanceOf(ModelException.class)
            .hasMessageContaining("of a hosted tool must be an array");
      }
      assertThat(test.server().asked()).isEmpty();
    }
  }

  @Test
  void fees_for_tools_at_the_vendor_are_in_the_budget_of_the_caller_too() throws Exception {
    try (var test = AnthropicTest.open("anthropic://claude-opus-4-6")) {
      test.server().answer(new Answer.Sends(CLAUDE)).answer(new Answer.Sends(CLAUDE));
      Prices free = (_, _) -> Optional.of(BigDecimal.ZERO);
      var news = agent(test.model(), HostedTools.webSearch());
      var one = new ToolCall("a", "news", "{\"task\":\"Who won?\"}");
      var two = new ToolCall("b", "news", "{\"task\":\"Who lost?\"}");
      var model =
          ScriptedModel.replying(
              ScriptedModel.calls(one), ScriptedModel.calls(two), ScriptedModel.text("She did."));
      var boss =
          Agent.named("boss")
              .model(model)
              .agent(news, "Knows the news.")
              .budget(Budget.unlimited().money("0.015", "USD", free))
              .build();
      assertThatThrownBy(() -> boss.run("Who won?"))
          .isInstanceOf(BudgetExceeded.class)
          .hasMessageContaining("0.02");
      assertThat(test.server().asked()).hasSize(2);
    }
  }

  @Test
  void searches_of_gemini_are_counted_by_their_queries() throws Exception {
    var answer =
        """
        {"candidates":[{"content":{"role":"model","parts":[{"text":"She did."}]},"finishReason":\
        "STOP","groundingMetadata":{"webSearchQueries":["who won","winner"]}}],"usageMetadata":{}}\
        """;
    try (var test = GeminiTest.open("gemini://gemini-3-flash-preview")) {
      test.server().answer(new Answer.Sends("data: " + answer + "\n\ndata: " + answer + "\n\n"));
      var reply = test.model().stream(ChatRequest.of(Message.user("Who won?")), _ -> {});
      assertThat(HostedUse.of("news", reply).calls()).isEqualTo(Map.of("web_search", 2));
      assertThat(HostedFees.standard().of(test.model().ref(), reply.message())).isEqualTo("0.028");
    }
  }
}
