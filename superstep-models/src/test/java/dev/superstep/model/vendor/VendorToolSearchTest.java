package dev.superstep.model.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.middleware.Middleware;
import dev.superstep.middleware.PrefixGuard;
import dev.superstep.middleware.hosted.HostedToolUnavailable;
import dev.superstep.model.CacheHint;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.RequestDigest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.ToolSpec;
import dev.superstep.run.Answers;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.Tools;
import dev.superstep.tool.search.ToolRanking;
import dev.superstep.tool.search.ToolSearch;
import dev.superstep.tool.search.VendorToolSearch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Agents whose tools Anthropic searches. The replies are written by Anthropic's documents, and
/// were not recorded; the server enforces its rules.
@Timeout(60)
class VendorToolSearchTest {
  private static final String MODEL = "anthropic://claude-opus-4-6";
  private static final String SEARCHING =
      """
      {"type":"server_tool_use","id":"srvtoolu_1","name":"tool_search_tool_bm25",\
      "input":{"query":"invoice"}}\
      """;
  private static final String FOUND =
      """
      {"type":"tool_search_tool_result","tool_use_id":"srvtoolu_1","content":{"type":\
      "tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":\
      "bill"},{"type":"tool_reference","tool_name":"get_weather"}]}}\
      """;
  private static final String SAYING = "{\"type\":\"text\",\"text\":\"I will bill her.\"}";
  private static final String CALLING =
      """
      {"type":"tool_use","id":"toolu_1","name":"bill","input":{"customer":"Ada"}}\
      """;
  private static final String FINDS =
      claude("tool_use", String.join(",", SEARCHING, FOUND, SAYING, CALLING));

  record Customer(String customer) {}

  private final List<String> billed = Collections.synchronizedList(new ArrayList<>());
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t").checkpoints(store);
  private final Tool bill =
      Tool.of(
          "bill",
          "Bills a customer.",
          Customer.class,
          (c, _) -> {
            billed.add(c.customer());
            return "billed";
          });
  private final Tool weather =
      Tool.of("get_weather", "Tells the weather.", Customer.class, (_, _) -> "sun");

  private static String claude(String stop, String blocks) {
    return """
    {"id":"msg_1","type":"message","role":"assistant","model":"m","content":[%s],\
    "stop_reason":"%s","usage":{"input_tokens":6,"output_tokens":7}}\
    """
        .formatted(blocks, stop);
  }

  private static AgentBuilder agent(ChatModel model, Tool... tools) {
    return desk(
        model, ToolSearch.over(Tools.of(tools)).byVendor(), PrefixGuard.failing().acrossRuns());
  }

  private static AgentBuilder desk(ChatModel model, Middleware... middleware) {
    return Agent.named("desk").model(model).instructions("Help.").middleware(middleware);
  }

  private static JsonNode sent(ModelUnderTest test) {
    return JsonMapper.shared().readTree(test.server().lastBody());
  }

  @Test
  void a_tool_that_the_vendor_finds_is_called_and_its_words_go_back_exactly() throws Exception {
    try (var test = AnthropicTest.open(MODEL)) {
      test.server().answer(new Answer.Sends(FINDS)).answer(Answer.text("Done."));
      var prefixes = new ArrayList<String>();
      var result = agent(test.model(), bill, weather).build().run("Bill Ada", options);
      for (var asked : test.server().asked()) {
        var request = JsonMapper.shared().readTree(asked.body());
        prefixes.add(request.path("tools") + " " + request.path("system"));
      }
      assertThat(result.answer()).isEqualTo("Done.");
      assertThat(billed).containsExactly("Ada");
      assertThat(prefixes).hasSize(2);
      assertThat(prefixes.getFirst()).isEqualTo(prefixes.getLast());
      var tools = sent(test).path("tools");
      assertThat(tools.get(0).toString())
          .startsWith(
              "{\"type\":\"tool_search_tool_bm25_20251119\",\"name\":\"tool_search_tool_bm25\"");
      assertThat(tools.get(1).path("defer_loading").asBoolean()).isTrue();
      assertThat(tools.get(2).path("defer_loading").asBoolean()).isTrue();
      assertThat(sent(test).at("/messages/1/content").toString())
          .isEqualTo("[" + String.join(",", SEARCHING, FOUND, SAYING, CALLING) + "]");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @Test
  void the_mark_of_the_cache_is_on_the_last_tool_that_is_not_deferred() throws Exception {
    try (var test = AnthropicTest.open(MODEL)) {
      test.server().answer(Answer.text("Done."));
      var search = ToolSearch.over(Tools.of(bill)).byVendor();
      Agent.named("desk")
          .model(test.model())
          .instructions("Help.")
          .tools(weather)
          .promptCache(CacheHint.LONG)
          .middleware(search)
          .build()
          .run("Hello");
      for (var tool : sent(test).path("tools")) {
        assertThat(tool.has("cache_control"))
            .isEqualTo(tool.path("name").asString().equals("get_weather"));
      }
      assertThat(test.server().refusals()).isEmpty();
      assertThat(search).hasToString("VendorToolSearch[1 tools]");
    }
  }

  @Test
  void a_gate_an_approval_and_a_budget_hold_for_a_found_tool() throws Exception {
    try (var test = AnthropicTest.open(MODEL)) {
      test.server()
          .answer(new Answer.Sends(FINDS))
          .answer(Answer.text("Done."))
          .answer(new Answer.Sends(FINDS));
      var asking = bill.withPolicy(ToolPolicy.readOnly().approved());
      var first = agent(test.model(), asking, weather).build().run("Bill Ada", options);
      var question = ((AgentResult.Waiting<String>) first).questions().getFirst();
      assertThat(question.payload().text()).contains("bill").contains("Ada");
      assertThat(billed).isEmpty();
      // Another process, by the store alone.
      var approved = Review.Decisions.of(new Review.Decision.Approve());
      var yes = Answers.none().and(Review.QUESTION.answer(question, approved));
      var second = agent(test.model(), asking, weather).build().resume(yes, options);
      assertThat(second.answer()).isEqualTo("Done.");
      assertThat(billed).containsExactly("Ada");
      var one = agent(test.model(), bill, weather).budget(Budget.unlimited().calls(1)).build();
      assertThatThrownBy(() -> one.run("Bill Bob")).isInstanceOf(BudgetExceeded.class);
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @Test
  void a_tool_that_the_gate_hides_is_not_sent_and_one_that_is_gone_is_not_referred_to()
      throws Exception {
    try (var test = AnthropicTest.open(MODEL)) {
      test.server()
          .answer(new Answer.Sends(FINDS))
          .answer(Answer.text("Done."))
          .answer(Answer.text("Fine."))
          .answer(Answer.text("Bye."));
      desk(test.model(), ToolSearch.over(Tools.of(bill, weather)).byVendor())
          .build()
          .run("Bill Ada", options);
      desk(test.model(), ToolSearch.over(Tools.of(bill, weather)).byVendor())
          .gate(ToolGate.open().only("bill"))
          .build()
          .run("Thanks", options.allowTopologyChange());
      assertThat(sent(test).path("tools")).hasSize(2);
      assertThat(sent(test).at("/messages/1/content").toString())
          .contains("\"tool_name\":\"bill\"")
          .doesNotContain("get_weather");
      // Without the search there is nothing to refer to.
      desk(test.model()).build().run("Bye", options.allowTopologyChange());
      assertThat(sent(test).toString()).doesNotContain("tool_search");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @Test
  void after_a_rewind_and_inside_another_agent_the_search_is_made_again() throws Exception {
    try (var test = AnthropicTest.open(MODEL)) {
      test.server().answer(Answer.text("Hello."));
      var desk = agent(test.model(), bill, weather).build();
      desk.run("Hello", options);
      var before = Threads.in(store).history("t", Optional.empty(), 1).getFirst();
      test.server().answer(new Answer.Sends(FINDS)).answer(Answer.text("Done."));
      desk.run("Bill Ada", options);
      Threads.in(store).rewind("t", before.id());
      test.server()
          .answer(new Answer.Sends(FINDS.replace("toolu_1", "toolu_2")))
          .answer(Answer.text("Done."));
      desk.run("Bill Ada", options);
      assertThat(test.server().asked()).hasSize(5);
      // An effect outlives a rewind, as that of any tool.
      assertThat(billed).containsExactly("Ada");

      test.server().answer(new Answer.Sends(FINDS)).answer(Answer.text("Done."));
      var task = new dev.superstep.message.ToolCall("k", "desk", "{\"task\":\"Bill Ada.\"}");
      var boss = ScriptedModel.replying(ScriptedModel.calls(task), ScriptedModel.text("Billed."));
      var result =
          Agent.named("boss")
              .model(boss)
              .agent(desk, "Bills customers.")
              .build()
              .run("Bill Ada", RunOptions.thread("boss").checkpoints(store));
      assertThat(result.answer()).isEqualTo("Billed.");
      assertThat(billed).hasSize(2);
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @Test
  void patterns_are_another_search_of_anthropic_only() throws Exception {
    try (var test = AnthropicTest.open(MODEL)) {
      test.server().answer(Answer.text("Done."));
      var search = ToolSearch.over(Tools.of(bill)).byVendor().byPatterns();
      Agent.named("desk").model(test.model()).middleware(search).build().run("Hello");
      assertThat(sent(test).at("/tools/0/type").asString())
          .isEqualTo("tool_search_tool_regex_20251119");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @Test
  void a_vendor_or_a_model_without_a_search_is_not_asked() throws Exception {
    var scripted = ScriptedModel.saying("Guessed.");
    assertThatThrownBy(() -> agent(scripted, bill).build().run("Bill Ada"))
        .isInstanceOf(HostedToolUnavailable.class)
        .hasMessageContaining("`scripted` has no search for tools here")
        .hasMessageContaining("anthropic, openai");
    assertThat(scripted.calls()).isZero();
    for (var old : List.of("claude-3-7-sonnet-latest", "claude-opus-4-1", "claude-sonnet-4-0")) {
      try (var test = AnthropicTest.open("anthropic://" + old)) {
        assertRefused(test.model());
      }
    }
    try (var test = new OpenAiTest().open()) {
      assertRefused(test.model());
    }
    try (var test = new OllamaTest().open()) {
      assertRefused(test.model());
    }
  }

  private void assertRefused(ChatModel model) {
    var request =
        ChatRequest.of(Message.user("Bill Ada"))
            .withTools(List.of(bill.spec()))
            .withDeferredTools(Set.of("bill"));
    assertThatThrownBy(() -> model.call(request))
        .isInstanceOfSatisfying(
            ModelException.class,
            e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.BAD_REQUEST))
        .hasMessageContaining("no search of its own for tools");
  }

  @Test
  void settings_that_the_vendor_decides_on_are_refused() {
    var search = ToolSearch.over(Tools.of(bill));
    for (var set :
        List.of(
            search.withMost(9),
            search.withTopics("money"),
            search.withRanking(ToolRanking.byPatterns()))) {
      assertThatThrownBy(set::byVendor)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("withTopics()");
    }
    assertThat(search.byVendor()).isInstanceOf(VendorToolSearch.class);
  }

  @Test
  void schemas_of_deferred_tools_are_no_part_of_the_estimate_but_of_the_digest() {
    var tool = new ToolSpec("bill", "Bills.", Json.parse("{\"type\":\"object\"}"));
    var plain = ChatRequest.of(Message.user("Hi")).withTools(List.of(tool));
    var deferred = plain.withDeferredTools(Set.of("bill"));
    var counter = TokenCounter.approximate();
    assertThat(counter.count(deferred)).isLessThan(counter.count(plain));
    assertThat(RequestDigest.whole(deferred)).isNotEqualTo(RequestDigest.whole(plain));
    assertThat(RequestDigest.whole(plain.withDeferredTools(Set.of("other"))))
        .isEqualTo(RequestDigest.whole(plain));
  }
}
