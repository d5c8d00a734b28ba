package dev.superstep.model.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Prices;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.Retrying;
import dev.superstep.middleware.hosted.HostedTools;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.ModelUnderTest;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Runs that end between a call at the vendor and its result, and go on elsewhere. The replies are
/// written by Anthropic's documents, and were not recorded; the server enforces its rules.
@Timeout(60)
class HostedDurabilityTest {
  private static final String SEARCHING =
      """
      {"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"won"}}\
      """;
  private static final String RESULT =
      "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_1\",\"content\":[]}";
  private static final String SAYING = "{\"type\":\"text\",\"text\":\"She did.\"}";
  private static final String REST = RESULT + "," + SAYING;

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t").checkpoints(store);

  private static String claude(String stop, String blocks) {
    return """
    {"id":"msg_1","type":"message","role":"assistant","model":"m","content":[%s],\
    "stop_reason":"%s","usage":{"input_tokens":6,"output_tokens":7}}\
    """
        .formatted(blocks, stop);
  }

  private static String stream(String... events) {
    var all = new StringBuilder();
    for (var event : events) all.append("data: ").append(event).append("\n\n");
    return all.toString();
  }

  private static String block(String block) {
    return "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":" + block + "}";
  }

  private static AgentBuilder agent(ModelUnderTest test) {
    return Agent.named("news").model(test.model()).middleware(HostedTools.webSearch());
  }

  private static JsonNode sent(ModelUnderTest test) {
    return JsonMapper.shared().readTree(test.server().lastBody());
  }

  private static ModelUnderTest open() {
    return AnthropicTest.open("anthropic://claude-opus-4-6");
  }

  @Test
  void a_run_that_failed_while_the_vendor_worked_goes_on_elsewhere_without_a_lost_block()
      throws Exception {
    try (var test = open()) {
      test.server()
          .answer(new Answer.Sends(claude("pause_turn", SEARCHING)))
          .answer(Answer.error(400, "gone"));
      var first = agent(test).build();
      assertThatThrownBy(() -> first.run("Who won?", options)).isInstanceOf(ModelException.class);
      test.server().answer(new Answer.Sends(claude("end_turn", REST)));
      var result = agent(test).build().resume(Answers.none(), options);
      assertThat(result.answer()).isEqualTo("She did.");
      assertThat(sent(test).at("/messages/1/content").toString()).isEqualTo("[" + SEARCHING + "]");
      assertThat(test.server().asked()).hasSize(3);

      test.server().answer(Answer.text("Yes."));
      agent(test).build().run("Sure?", options);
      assertThat(sent(test).at("/messages/1/content").toString())
          .isEqualTo("[" + SEARCHING + "," + REST + "]");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  /// A reply of which a part arrived is void: the vendor is asked for all of it again.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_stream_that_breaks_off_after_the_block_of_a_call_is_asked_for_again(boolean isAlone)
      throws Exception {
    var start =
        "{\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"model\":\"m\",\"usage\":{}}}";
    var stop = "{\"type\":\"content_block_stop\",\"index\":0}";
    var half =
        isAlone
            ? stream(start, block(SEARCHING), stop)
            : stream(start, block(SEARCHING), stop, block(RESULT), stop);
    var end = "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{}}";
    var whole =
        stream(
            start,
            block(SEARCHING),
            stop,
            block(RESULT),
            stop,
            block(SAYING),
            stop,
            end,
            "{\"type\":\"message_stop\"}");
    try (var test = open()) {
      test.server()
          .answer(new Answer.Sends(half))
          .answer(new Answer.Sends(whole))
          .answer(Answer.text("Yes."));
      var events = new ArrayList<Event>();
      var agent =
          agent(test)
              .middleware(Retrying.times(2).backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1)))
              .build();
      assertThat(agent.run("Who won?", options.listener(events::add)).answer())
          .isEqualTo("She did.");
      agent.run("Sure?", options);
      assertThat(sent(test).at("/messages/1/content").toString())
          .isEqualTo("[" + SEARCHING + "," + REST + "]");
      assertThat(events.toString()).containsOnlyOnce(HostedTools.USED);
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @Test
  void a_rewind_forgets_the_blocks_that_came_after_it() throws Exception {
    try (var test = open()) {
      test.server()
          .answer(Answer.text("Hello."))
          .answer(new Answer.Sends(claude("end_turn", SEARCHING + "," + REST)))
          .answer(Answer.text("Nobody."));
      var agent = agent(test).build();
      agent.run("Hello", options);
      var before = Threads.in(store).history("t", Optional.empty(), 1).getFirst();
      agent.run("Who won?", options);
      Threads.in(store).rewind("t", before.id());
      agent.run("Who lost?", options);
      assertThat(sent(test).path("messages")).hasSize(3);
      assertThat(sent(test).path("messages").toString()).doesNotContain("srvtoolu_1");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  /// Ends the run in its second call, as a stop of the process does.
  private record Stopped(ChatModel model, AtomicInteger calls) implements ChatModel {
    @Override
    public ModelRef ref() {
      return model.ref();
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      if (calls.incrementAndGet() == 2) throw new InterruptedException("stopped");
      return model.call(request);
    }
  }

  private static Agent<String> boss(ChatModel boss, ChatModel news) {
    Prices free = (_, _) -> Optional.of(BigDecimal.ZERO);
    var inner = Agent.named("news").model(news).middleware(HostedTools.webSearch()).build();
    return Agent.named("boss")
        .model(boss)
        .agent(inner, "Knows the news.")
        .budget(Budget.unlimited().money("0.015", "USD", free))
        .build();
  }

  @Test
  void an_agent_inside_another_goes_on_where_the_vendor_paused_and_its_fees_are_kept()
      throws Exception {
    try (var test = open()) {
      test.server().answer(new Answer.Sends(claude("pause_turn", SEARCHING)));
      var task = new ToolCall("a", "news", "{\"task\":\"Who won?\"}");
      var stopped = new Stopped(test.model(), new AtomicInteger());
      var first = boss(ScriptedModel.replying(ScriptedModel.calls(task)), stopped);
      assertThatThrownBy(() -> first.run("Who won?", options)).isInstanceOf(Exception.class);
      assertThat(test.server().asked()).hasSize(1);

      test.server().answer(new Answer.Sends(claude("end_turn", REST)));
      var again = new ToolCall("b", "news", "{\"task\":\"Who lost?\"}");
      var second =
          boss(
              ScriptedModel.replying(ScriptedModel.calls(again), ScriptedModel.text("She did.")),
              test.model());
      test.server().answer(new Answer.Sends(claude("end_turn", SEARCHING + "," + REST)));
      // A search before the stop and one after it are more than there is.
      assertThatThrownBy(() -> second.resume(Answers.none(), options))
          .isInstanceOf(BudgetExceeded.class)
          .hasMessageContaining("0.02 are used");
      var sent = JsonMapper.shared().readTree(test.server().asked().get(1).body());
      assertThat(sent.at("/messages/1/content").toString()).isEqualTo("[" + SEARCHING + "]");
      assertThat(test.server().asked()).hasSize(3);
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @Test
  void a_request_that_needs_an_unfinished_feature_is_not_put_into_a_batch() {
    var key = Environment.of(Map.of("ANTHROPIC_API_KEY", "sk-1"));
    var api = VendorBatches.open(ModelRef.parse("anthropic://claude-opus-4-6"), key);
    var request = ChatRequest.of(List.of(Message.user("Plot.")));
    assertThat(api.body(HostedTools.webSearch().in(request, "anthropic")).text())
        .contains("web_search");
    assertThatThrownBy(() -> api.body(HostedTools.codeExecution().in(request, "anthropic")))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("ask without a batch");
  }
}
