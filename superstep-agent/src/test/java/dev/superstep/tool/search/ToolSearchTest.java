package dev.superstep.tool.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.middleware.PrefixGuard;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.PromptLayout;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.ToolSpec;
import dev.superstep.run.Answers;
import dev.superstep.schema.Description;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.Tools;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ToolSearchTest {
  record City(@Description("In English.") String name) {}

  record Invoice(
      @Description("Who pays.") String customer, @Description("In cents.") long amount) {}

  private static final ToolCall SEARCHES =
      new ToolCall("c1", "search_tools", "{\"query\":\"create an invoice for a customer\"}");
  private static final ToolCall CALLS =
      new ToolCall(
          "c2",
          "call_tool",
          "{\"name\":\"create_invoice\",\"arguments\":{\"customer\":\"Ada\",\"amount\":900}}");

  private final List<String> made = Collections.synchronizedList(new ArrayList<>());
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t").checkpoints(store);

  private final Tool invoice =
      Tool.of(
          "create_invoice",
          "Creates an invoice for a customer.",
          Invoice.class,
          (i, _) -> {
            made.add(i.customer() + " " + i.amount());
            return "invoice of " + i.customer();
          });
  private final Tool weather =
      Tool.of("get_weather", "Tells the weather of a city.", City.class, (c, _) -> "sun in " + c);

  private AgentBuilder agent(ChatModel model, Tool... deferred) {
    return agent(model, ToolSearch.over(Tools.of(deferred)));
  }

  private static AgentBuilder agent(ChatModel model, ToolSearch search) {
    return Agent.named("desk")
        .model(model)
        .instructions("Help.")
        .middleware(search, PrefixGuard.failing().acrossRuns());
  }

  private static ScriptedModel replying(ToolCall... calls) {
    var replies = new ArrayList<ChatReply>();
    for (var call : calls) replies.add(ScriptedModel.calls(call));
    replies.add(ScriptedModel.text("Done."));
    return ScriptedModel.replying(replies);
  }

  private static Tool[] filler(int count) {
    var tools = new Tool[count];
    for (int i = 0; i < count; i++) {
      tools[i] =
          Tool.of(
              "handle_case_" + i,
              "Handles case number " + i + " of the archive, with its papers and its letters.",
              Invoice.class,
              (_, _) -> "handled");
    }
    return tools;
  }

  private static String lastText(ScriptedModel model) {
    return model.requests().getLast().messages().getLast().text();
  }

  @Test
  void a_deferred_tool_is_found_and_called_under_its_own_name() throws Exception {
    var model = replying(SEARCHES, CALLS);
    var events = new ArrayList<AgentEvent>();
    var listening = options.listener(AgentEvent.listener(events::add));
    var result = agent(model, weather, invoice).build().run("Bill Ada", listening);
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(made).containsExactly("Ada 900");
    assertThat(events)
        .filteredOn(AgentEvent.ToolStarted.class::isInstance)
        .extracting(event -> ((AgentEvent.ToolStarted) event).tool())
        .containsExactly("search_tools", "create_invoice");
    assertThat(calls(result.report().conversation()))
        .extracting(ToolCall::tool)
        .containsExactly("search_tools", "create_invoice");
    // The model sees its own call, in its own form.
    assertThat(calls(model.requests().getLast().messages())).contains(CALLS);
    assertThat(model.requests().getLast().messages().getLast())
        .isInstanceOfSatisfying(
            ToolMessage.class, told -> assertThat(told.tool()).isEqualTo("call_tool"));
  }

  private static List<ToolCall> calls(List<Message> conversation) {
    var calls = new ArrayList<ToolCall>();
    for (var message : conversation) {
      if (message instanceof AssistantMessage reply) calls.addAll(reply.calls());
    }
    return calls;
  }

  @ParameterizedTest
  @ValueSource(ints = {178, 5_000})
  void the_prompt_does_not_grow_with_the_number_of_tools(int count) throws Exception {
    var tools = new ArrayList<>(List.of(filler(count - 1)));
    tools.add(invoice);
    var model = replying(SEARCHES, CALLS);
    agent(model, ToolSearch.over(Tools.of(tools))).toolCalls(4).build().run("Bill Ada", options);
    assertThat(made).containsExactly("Ada 900");
    var first = model.requests().getFirst();
    assertThat(first.tools())
        .extracting(ToolSpec::name)
        .containsExactly("search_tools", "call_tool");
    long window = 150_000;
    var counter = TokenCounter.approximate();
    long bare = counter.count(ChatRequest.of(first.messages()));
    assertThat(counter.count(first) - bare).isLessThan(window / 100);
    // With what a search tells, it stays below the share that is allowed.
    assertThat(counter.count(model.requests().getLast()) - bare).isLessThan(window * 5 / 100);
  }

  @Test
  void the_prefix_stays_byte_identical_over_turns_runs_and_changed_tool_lists() throws Exception {
    var first = replying(SEARCHES, CALLS);
    agent(first, weather, invoice).build().run("Bill Ada", options);
    var second = replying(CALLS);
    // Another instance, with the tools that a server has by now.
    agent(second, invoice, filler(3)[0], filler(3)[2]).build().run("Again", options);
    assertThat(made).containsExactly("Ada 900", "Ada 900");
    var requests = new ArrayList<>(first.requests());
    requests.addAll(second.requests());
    assertThat(requests.stream().map(PromptLayout::prefixOf).distinct()).hasSize(1);
    assertThat(requests.stream().map(ChatRequest::tools).distinct()).hasSize(1);
    // What was sent once is sent again as it was, so that the vendor's cache covers that, too.
    var before = first.requests().getLast().messages();
    assertThat(second.requests().getFirst().messages().subList(0, before.size())).isEqualTo(before);
  }

  @Test
  void a_tool_that_is_gone_is_told_and_its_old_calls_stay_as_they_were() throws Exception {
    var first = replying(SEARCHES, CALLS);
    agent(first, weather, invoice).build().run("Bill Ada", options);
    var second = replying(CALLS);
    agent(second, weather).build().run("Again", options);
    assertThat(lastText(second)).contains("There is no tool `create_invoice`");
    var before = first.requests().getLast().messages();
    assertThat(second.requests().getFirst().messages().subList(0, before.size())).isEqualTo(before);
  }

  @Test
  void a_tool_that_has_changed_since_it_was_found_is_looked_for_again() throws Exception {
    agent(replying(SEARCHES), invoice).build().run("Look", options);
    var model = replying(CALLS, SEARCHES, CALLS);
    var other = invoice.named("create_invoice", "Creates an invoice, and sends it at once.");
    agent(model, other).build().run("Bill Ada", options);
    assertThat(model.requests().get(1).messages().getLast().text())
        .contains("`create_invoice` has changed since you found it");
    assertThat(made).containsExactly("Ada 900");
  }

  @Test
  void a_tool_is_callable_from_the_turn_after_the_search() throws Exception {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(SEARCHES, CALLS),
            ScriptedModel.calls(new ToolCall("c3", CALLS.tool(), CALLS.arguments())),
            ScriptedModel.text("Done."));
    agent(model, invoice).build().run("Bill Ada", options);
    assertThat(model.requests().get(1).messages().getLast().text())
        .contains("`create_invoice` was not found yet");
    assertThat(made).containsExactly("Ada 900");
  }

  @Test
  void a_direct_call_of_a_tool_that_was_not_found_is_refused_and_one_of_a_found_tool_runs()
      throws Exception {
    var direct = new ToolCall("c9", "create_invoice", "{\"customer\":\"Bob\",\"amount\":1}");
    var model = replying(direct, SEARCHES, direct);
    agent(model, invoice).build().run("Bill Bob", options);
    assertThat(model.requests().get(1).messages().getLast().text()).contains("was not found yet");
    assertThat(made).containsExactly("Bob 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"create_invoce", "createinvoice", "create-invoice"})
  void a_misspelt_name_is_answered_by_the_name_that_was_meant(String name) throws Exception {
    var model =
        replying(new ToolCall("c1", "call_tool", "{\"name\":\"" + name + "\",\"arguments\":{}}"));
    agent(model, weather, invoice).build().run("Bill", options);
    assertThat(lastText(model)).contains("Did you mean `create_invoice`?");
  }

  @Test
  void bad_arguments_are_told_as_for_any_tool() throws Exception {
    var model =
        replying(
            SEARCHES,
            new ToolCall(
                "c2", "call_tool", "{\"name\":\"create_invoice\",\"arguments\":{\"customer\":1}}"),
            new ToolCall("c3", "call_tool", "{\"nam\":1}"),
            CALLS);
    agent(model, invoice).build().run("Bill", options);
    assertThat(model.requests().get(2).messages().getLast().text())
        .contains("The arguments are not valid")
        .contains("amount");
    assertThat(model.requests().get(3).messages().getLast().text()).contains("name");
    assertThat(made).containsExactly("Ada 900");
  }

  @Test
  @Tag("T32")
  void a_tool_that_the_gate_hides_is_neither_found_nor_called() throws Exception {
    var model = replying(SEARCHES, CALLS);
    agent(model, weather, invoice)
        .gate(ToolGate.open().without("create_invoice"))
        .build()
        .run("Bill", options);
    assertThat(model.requests().get(1).messages().getLast().text())
        .doesNotContain("create_invoice");
    assertThat(lastText(model)).contains("There is no tool `create_invoice`");
    assertThat(made).isEmpty();
  }

  @Test
  void an_approval_shows_a_person_the_tool_behind_the_dispatch() throws Exception {
    var model = replying(SEARCHES, CALLS);
    var agent = agent(model, invoice.withPolicy(ToolPolicy.readOnly().approved())).build();
    var waiting = (AgentResult.Waiting<String>) agent.run("Bill Ada", options);
    var question = waiting.questions().getFirst();
    assertThat(question.payload().text())
        .startsWith(
            "{\"action_requests\":[{\"name\":\"create_invoice\",\"args\":{\"customer\":\"Ada\"");
    var edit = Json.parse("{\"customer\":\"Ada\",\"amount\":5}");
    var decisions =
        Review.Decisions.of(new Review.Decision.Edit(new Review.Edited("create_invoice", edit)));
    // By another instance, as after a restart.
    var later = ScriptedModel.saying("Done.");
    var resumed =
        agent(later, invoice.withPolicy(ToolPolicy.readOnly().approved()))
            .build()
            .resume(Answers.none().and(Review.QUESTION.answer(question, decisions)), options);
    assertThat(resumed.answer()).isEqualTo("Done.");
    assertThat(made).containsExactly("Ada 5");
    assertThat(calls(later.requests().getLast().messages()).getLast().arguments())
        .isEqualTo(
            "{\"name\":\"create_invoice\",\"arguments\":{\"customer\":\"Ada\",\"amount\":5}}");
  }

  @Test
  void a_rewind_forgets_what_was_found_after_it_and_a_fork_keeps_what_was_found_before()
      throws Exception {
    var threads = Threads.in(store);
    agent(replying(), invoice).build().run("Hello", options);
    var before = threads.history("t", Optional.empty(), 1).getFirst();
    agent(replying(SEARCHES), invoice).build().run("Look", options);
    var after = threads.history("t", Optional.empty(), 1).getFirst();
    threads.fork("t", after.id(), "copy");
    var copied = replying(CALLS);
    agent(copied, invoice).build().run("Bill", RunOptions.thread("copy").checkpoints(store));
    assertThat(made).containsExactly("Ada 900");
    threads.rewind("t", before.id());
    var model = replying(CALLS);
    agent(model, invoice).build().run("Bill", options);
    assertThat(made).hasSize(1);
    assertThat(lastText(model)).contains("`create_invoice` was not found yet");
  }

  @Test
  void a_sub_agent_has_its_own_finds_and_may_itself_be_deferred() throws Exception {
    var inner = replying(SEARCHES, CALLS, CALLS);
    var clerk =
        Agent.named("clerk").model(inner).middleware(ToolSearch.over(Tools.of(invoice))).build();
    var task = "{\"task\":\"Bill Ada.\"}";
    var model =
        replying(
            new ToolCall("s", "search_tools", "{\"query\":\"bookkeeping\"}"),
            new ToolCall("k", "call_tool", "{\"name\":\"clerk\",\"arguments\":" + task + "}"));
    var result =
        agent(model, ToolSearch.over(Tools.of(weather)).withDeferred("clerk"))
            .agent(clerk, "Does the bookkeeping.")
            .build()
            .run("Bill Ada", options);
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(made).containsExactly("Ada 900", "Ada 900");
    assertThat(model.requests().getFirst().tools())
        .extracting(ToolSpec::name)
        .containsExactly("search_tools", "call_tool");
  }

  @Test
  void an_agent_that_remembers_knows_what_it_found_in_its_earlier_call() throws Exception {
    var inner =
        ScriptedModel.replying(
            ScriptedModel.calls(SEARCHES),
            ScriptedModel.text("Found."),
            ScriptedModel.calls(CALLS),
            ScriptedModel.text("Billed."));
    var clerk =
        Agent.named("clerk").model(inner).middleware(ToolSearch.over(Tools.of(invoice))).build();
    var task = "{\"task\":\"Bill Ada.\"}";
    var model = replying(new ToolCall("a", "clerk", task), new ToolCall("b", "clerk", task));
    Agent.named("boss")
        .model(model)
        .rememberingAgent(clerk, "Does the bookkeeping.")
        .build()
        .run("Bill Ada", options);
    assertThat(made).containsExactly("Ada 900");
  }

  @Test
  void tools_are_found_by_meaning_if_an_embedding_is_given() throws Exception {
    // Two meanings: money and sky.
    var ranking =
        ToolRanking.byEmbedding(texts ->
            texts.stream()
                .map(text -> new float[] {text.matches("(?s).*(invoice|bill).*") ? 1 : 0, 0.1f})
                .toList());
    var model = replying(new ToolCall("c1", "search_tools", "{\"query\":\"write a bill\"}"), CALLS);
    agent(model, ToolSearch.over(Tools.of(weather, invoice)).withRanking(ranking).withMost(1))
        .build()
        .run("Bill Ada", options);
    assertThat(made).containsExactly("Ada 900");
  }

  @Test
  void a_search_without_a_match_says_what_there_is() throws Exception {
    var model = replying(new ToolCall("c1", "search_tools", "{\"query\":\"zzz\"}"));
    agent(model, weather, invoice).build().run("?", options);
    assertThat(lastText(model)).contains("There are 2 tools, such as get_weather, create_invoice");
  }
}
