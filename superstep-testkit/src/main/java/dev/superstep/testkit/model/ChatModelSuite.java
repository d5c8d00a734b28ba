package dev.superstep.testkit.model;

import static dev.superstep.model.ModelException.Kind.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ToolSpec;
import dev.superstep.model.Usage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The tests that every [dev.superstep.model.ChatModel] of a server must pass. A test class
/// implements this interface and opens its model in [#open].
@Timeout(60)
@Tag("T128")
public interface ChatModelSuite extends ModelRequestSuite, ModelReplySuite, ModelFailureSuite {
  /// A tool with one argument.
  ToolSpec SEARCH =
      new ToolSpec(
          "search",
          "Finds tickets.",
          Json.parse(
              """
              {"type":"object","properties":{"query":{"type":"string","minLength":2},\
              "state":{"$ref":"#/$defs/State"}},"required":["query"],\
              "additionalProperties":false,"$defs":{"State":{"enum":["open","shut"]}}}\
              """));

  /// A tool without arguments.
  ToolSpec PING =
      new ToolSpec("ping", "Says pong.", Json.parse("{\"type\":\"object\",\"properties\":{}}"));

  @Test
  default void a_question_gets_its_text(ModelUnderTest test) throws InterruptedException {
    test.server().answer(Answer.text("Hello."));
    var reply = test.model().call(ChatRequest.of(Message.user("Say hello.")));
    assertThat(reply.message().text()).isEqualTo("Hello.");
    assertThat(reply.message().calls()).isEmpty();
    assertThat(reply.finish()).isEqualTo(Finish.STOP);
    assertThat(reply.model()).isEqualTo(test.model().ref());
    assertThat(reply.source()).isEqualTo(ChatReply.Source.LIVE);
    assertThat(test.server().lastBody()).contains("Say hello.");
  }

  @Test
  default void system_and_earlier_turns_are_sent(ModelUnderTest test) throws InterruptedException {
    test.server().answer(Answer.text("Sure."));
    test.model()
        .call(
            ChatRequest.of(
                Message.system("Be terse."),
                Message.user("First question"),
                Message.assistant("First answer"),
                Message.user("Second question")));
    assertThat(test.server().lastBody())
        .contains("Be terse.", "First question", "First answer", "Second question");
  }

  @Test
  default void tool_calls_and_their_results_are_sent_back(ModelUnderTest test)
      throws InterruptedException {
    test.server().answer(Answer.text("Two tickets."));
    test.model().call(conversationWithTool("{\"query\":\"login\"}"));
    assertThat(test.server().lastBody()).contains("search", "login", "found 2");
    if (test.has(Feature.CALL_IDS)) assertThat(test.server().lastBody()).contains("call-1");
  }

  @Test
  default void malformed_arguments_of_an_earlier_call_do_not_stop_the_next_request(
      ModelUnderTest test) throws InterruptedException {
    test.server().answer(Answer.text("I try again."));
    var reply = test.model().call(conversationWithTool("{\"query\": lo"));
    assertThat(reply.message().text()).isEqualTo("I try again.");
    assertThat(test.server().lastBody()).contains("lo");
  }

  @Test
  default void text_of_any_script_survives_both_ways(ModelUnderTest test)
      throws InterruptedException {
    var text = "Grüße, 世界 👩‍🚀 \"quoted\" \\ back\nslash \u0001";
    test.server().answer(Answer.text(text)).answer(Answer.text("Grüße, ", "世界 👩‍🚀"));
    var request = ChatRequest.of(Message.user("¿Qué? 日本語 🚀"));
    assertThat(test.model().call(request).message().text()).isEqualTo(text);
    assertThat(test.server().lastBody()).contains("¿Qué? 日本語 🚀");
    assertThat(streamed(test, request)).containsExactly("Grüße, ", "世界 👩‍🚀");
  }

  @Test
  default void the_exact_schema_of_a_tool_is_sent(ModelUnderTest test) throws InterruptedException {
    test.server().answer(Answer.text("No need."));
    test.model().call(ChatRequest.of(Message.user("Go")).withTools(List.of(SEARCH, PING)));
    assertThat(test.server().lastBody().replaceAll("\\s", ""))
        .contains("Findstickets.", "\"query\"", "\"$ref\":\"#/$defs/State\"", "shut", "ping");
  }

  @Test
  default void a_tool_call_comes_back(ModelUnderTest test) throws InterruptedException {
    test.server().answer(Answer.calls(new ToolCall("c1", "search", "{\"query\":\"login\"}")));
    var reply = test.model().call(withTools());
    assertThat(reply.finish()).isEqualTo(Finish.TOOL_CALLS);
    assertCalls(test, reply, new ToolCall("c1", "search", "{\"query\":\"login\"}"));
  }

  @Test
  default void a_tool_call_without_arguments_has_an_empty_object(ModelUnderTest test)
      throws InterruptedException {
    var call = new ToolCall("c1", "ping", "{}");
    test.server().answer(Answer.calls(call)).answer(Answer.calls(call));
    assertCalls(test, test.model().call(withTools()), call);
    assertCalls(test, test.model().stream(withTools(), _ -> {}), call);
  }

  @Test
  default void parallel_tool_calls_keep_their_order(ModelUnderTest test)
      throws InterruptedException {
    var calls =
        new ToolCall[] {
          new ToolCall("c1", "search", "{\"query\":\"a1\"}"),
          new ToolCall("c2", "search", "{\"query\":\"b2\"}"),
          new ToolCall("c3", "ping", "{}")
        };
    test.server().answer(Answer.calls(calls)).answer(Answer.calls(calls));
    assertCalls(test, test.model().call(withTools()), calls);
    assertCalls(test, test.model().stream(withTools(), _ -> {}), calls);
  }

  @Test
  default void a_streamed_tool_call_is_put_together(ModelUnderTest test)
      throws InterruptedException {
    var call = new ToolCall("c1", "search", "{\"query\":\"a long question\"}");
    test.server()
        .answer(new Answer.Says(List.of("Let me look."), List.of(call), Finish.TOOL_CALLS));
    var pieces = new ArrayList<String>();
    var reply = test.model().stream(withTools(), pieces::add);
    assertThat(pieces).containsExactly("Let me look.");
    assertThat(reply.message().text()).isEqualTo("Let me look.");
    assertThat(reply.finish()).isEqualTo(Finish.TOOL_CALLS);
    assertCalls(test, reply, call);
  }

  @Test
  @Tag("T30")
  default void malformed_arguments_are_returned_raw(ModelUnderTest test)
      throws InterruptedException {
    var broken = new ToolCall("c1", "search", "{\"query\": lo");
    if (test.has(Feature.RAW_ARGUMENTS)) {
      test.server().answer(Answer.calls(broken));
      assertCalls(test, test.model().call(withTools()), broken);
    }
    if (test.has(Feature.STREAMED_RAW_ARGUMENTS)) {
      test.server().answer(Answer.calls(broken));
      assertCalls(test, test.model().stream(withTools(), _ -> {}), broken);
    }
  }

  @Test
  default void a_stream_gives_its_pieces_in_order_on_the_calling_thread(ModelUnderTest test)
      throws InterruptedException {
    test.server().answer(Answer.text("One", " two", " three."));
    var pieces = new ArrayList<String>();
    var here = Thread.currentThread();
    var reply =
        test.model().stream(
            ChatRequest.of(Message.user("Count.")),
            piece -> {
              assertThat(Thread.currentThread()).isSameAs(here);
              pieces.add(piece);
            });
    assertThat(pieces).containsExactly("One", " two", " three.");
    assertThat(reply.message().text()).isEqualTo("One two three.");
    assertThat(reply.finish()).isEqualTo(Finish.STOP);
  }

  @Test
  default void a_piece_arrives_before_the_reply_is_over(ModelUnderTest test)
      throws InterruptedException {
    test.server().answer(new Answer.Stalls("first"));
    var stop = new IllegalStateException("seen enough");
    var request = ChatRequest.of(Message.user("Go"));
    assertThatThrownBy(() ->
            test.model().stream(
                request,
                _ -> {
                  throw stop;
                }))
        .isSameAs(stop);
    test.server().resume();
    assertThat(test.server().awaitHangUp()).isTrue();
  }

  @Test
  default void usage_is_reported_for_whole_replies_and_for_streams(ModelUnderTest test)
      throws InterruptedException {
    test.server().answer(Answer.text("a")).answer(Answer.text("a"));
    var request = ChatRequest.of(Message.user("Go"));
    assertThat(test.model().call(request).usage()).isEqualTo(usage(test));
    assertThat(test.model().stream(request, _ -> {}).usage()).isEqualTo(usage(test));
  }

  @Test
  default void a_cut_off_reply_says_so(ModelUnderTest test) throws InterruptedException {
    var cut = new Answer.Says(List.of("It was a dark and"), List.of(), Finish.LENGTH);
    test.server().answer(cut).answer(cut);
    var request = ChatRequest.of(Message.user("Go")).withMaxTokens(4711);
    assertThat(test.model().call(request).finish()).isEqualTo(Finish.LENGTH);
    assertThat(test.server().lastBody()).contains("4711");
    assertThat(test.model().stream(request, _ -> {}).finish()).isEqualTo(Finish.LENGTH);
  }

  @Test
  default void a_filtered_reply_without_text_is_refused(ModelUnderTest test) {
    test.server().answer(new Answer.Says(List.of(), List.of(), Finish.FILTERED));
    assertThat(ModelFailureSuite.failure(test).kind()).isEqualTo(REFUSED);
  }

  @Test
  default void the_schema_of_the_answer_is_sent(ModelUnderTest test) throws InterruptedException {
    var schema =
        Json.parse(
            """
            {"type":"object","properties":{"verdict":{"enum":["spam","ham"]}},\
            "required":["verdict"],"additionalProperties":false}\
            """);
    test.server().answer(Answer.text("{\"verdict\":\"ham\"}"));
    test.model()
        .call(
            ChatRequest.of(Message.user("Is this spam?"))
                .withFormat(new ResponseFormat.JsonSchema("verdict", schema)));
    assertThat(test.server().lastBody()).contains("verdict", "spam", "ham");
  }

  @Test
  default void the_temperature_is_sent(ModelUnderTest test) throws InterruptedException {
    test.server().answer(Answer.text("a"));
    test.model().call(ChatRequest.of(Message.user("Go")).withTemperature(0.25));
    assertThat(test.server().lastBody()).contains("0.25");
  }

  /// A question with both tools.
  static ChatRequest withTools() {
    return ChatRequest.of(Message.user("Go")).withTools(List.of(SEARCH, PING));
  }

  private static ChatRequest conversationWithTool(String arguments) {
    return ChatRequest.of(
            Message.user("How many?"),
            new AssistantMessage("", "", List.of(new ToolCall("call-1", "search", arguments))),
            new ToolMessage("", "call-1", "search", "found 2", false))
        .withTools(List.of(SEARCH));
  }

  private static List<String> streamed(ModelUnderTest test, ChatRequest request)
      throws InterruptedException {
    var pieces = new ArrayList<String>();
    test.model().stream(request, pieces::add);
    return pieces;
  }

  private static void assertCalls(ModelUnderTest test, ChatReply reply, ToolCall... expected) {
    var calls = reply.message().calls();
    assertThat(calls)
        .extracting(ToolCall::tool, ToolCall::arguments)
        .containsExactly(
            List.of(expected).stream()
                .map(c -> org.assertj.core.groups.Tuple.tuple(c.tool(), c.arguments()))
                .toArray(org.assertj.core.groups.Tuple[]::new));
    assertThat(calls).extracting(ToolCall::id).doesNotHaveDuplicates().doesNotContain("");
    if (test.has(Feature.CALL_IDS)) {
      assertThat(calls)
          .extracting(ToolCall::id)
          .containsExactlyElementsOf(List.of(expected).stream().map(ToolCall::id).toList());
    }
  }

  private static Usage usage(ModelUnderTest test) {
    var all = Answer.USAGE;
    return new Usage(
        all.input(),
        test.has(Feature.CACHED_INPUT) ? all.cachedInput() : 0,
        test.has(Feature.CACHE_WRITES) ? all.cacheWrite() : 0,
        all.output(),
        test.has(Feature.REASONING_TOKENS) ? all.reasoning() : 0,
        false);
  }
}
