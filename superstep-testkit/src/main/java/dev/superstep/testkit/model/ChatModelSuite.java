package dev.superstep.testkit.model;

import static dev.superstep.model.ModelException.Kind.AUTH;
import static dev.superstep.model.ModelException.Kind.BAD_REQUEST;
import static dev.superstep.model.ModelException.Kind.CONTEXT_LENGTH;
import static dev.superstep.model.ModelException.Kind.MALFORMED;
import static dev.superstep.model.ModelException.Kind.OVERLOADED;
import static dev.superstep.model.ModelException.Kind.RATE_LIMITED;
import static dev.superstep.model.ModelException.Kind.REFUSED;
import static dev.superstep.model.ModelException.Kind.TIMEOUT;
import static dev.superstep.model.ModelException.Kind.TRANSPORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ToolSpec;
import dev.superstep.model.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What every [ChatModel] that speaks to a server must do. A test class implements this and says
/// how to [#open] its model; the tests come along.
@Timeout(60)
public interface ChatModelSuite {
  /// A tool with one argument.
  ToolSpec SEARCH =
      new ToolSpec(
          "search",
          "Finds tickets.",
          new Json(
              """
              {"type":"object","properties":{"query":{"type":"string","minLength":2},\
              "state":{"$ref":"#/$defs/State"}},"required":["query"],\
              "additionalProperties":false,"$defs":{"State":{"enum":["open","shut"]}}}\
              """));

  /// A tool without arguments.
  ToolSpec PING =
      new ToolSpec("ping", "Says pong.", new Json("{\"type\":\"object\",\"properties\":{}}"));

  /// A fresh model on a fresh server.
  ModelUnderTest open();

  @Test
  default void a_question_gets_its_text() throws InterruptedException {
    try (var test = open()) {
      test.server().answer(Answer.text("Hello."));
      var reply = test.model().call(ChatRequest.of(Message.user("Say hello.")));
      assertThat(reply.message().text()).isEqualTo("Hello.");
      assertThat(reply.message().calls()).isEmpty();
      assertThat(reply.finish()).isEqualTo(Finish.STOP);
      assertThat(reply.model()).isEqualTo(test.model().ref());
      assertThat(reply.source()).isEqualTo(ChatReply.Source.LIVE);
      assertThat(test.server().lastBody()).contains("Say hello.");
    }
  }

  @Test
  default void system_and_earlier_turns_are_sent() throws InterruptedException {
    try (var test = open()) {
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
  }

  @Test
  default void tool_calls_and_their_results_are_sent_back() throws InterruptedException {
    try (var test = open()) {
      test.server().answer(Answer.text("Two tickets."));
      test.model().call(conversationWithTool("{\"query\":\"login\"}"));
      assertThat(test.server().lastBody()).contains("search", "login", "found 2");
      if (test.features().callIds()) assertThat(test.server().lastBody()).contains("call-1");
    }
  }

  @Test
  default void malformed_arguments_of_an_earlier_call_do_not_stop_the_next_request()
      throws InterruptedException {
    try (var test = open()) {
      test.server().answer(Answer.text("I try again."));
      var reply = test.model().call(conversationWithTool("{\"query\": lo"));
      assertThat(reply.message().text()).isEqualTo("I try again.");
      assertThat(test.server().lastBody()).contains("lo");
    }
  }

  @Test
  default void text_of_any_script_survives_both_ways() throws InterruptedException {
    var text = "Grüße, 世界 👩‍🚀 \"quoted\" \\ back\nslash \u0001";
    try (var test = open()) {
      test.server().answer(Answer.text(text)).answer(Answer.text("Grüße, ", "世界 👩‍🚀"));
      var request = ChatRequest.of(Message.user("¿Qué? 日本語 🚀"));
      assertThat(test.model().call(request).message().text()).isEqualTo(text);
      assertThat(test.server().lastBody()).contains("¿Qué? 日本語 🚀");
      assertThat(streamed(test, request)).containsExactly("Grüße, ", "世界 👩‍🚀");
    }
  }

  @Test
  default void the_exact_schema_of_a_tool_is_sent() throws InterruptedException {
    try (var test = open()) {
      test.server().answer(Answer.text("No need."));
      test.model().call(ChatRequest.of(Message.user("Go")).withTools(List.of(SEARCH, PING)));
      assertThat(test.server().lastBody().replaceAll("\\s", ""))
          .contains("Findstickets.", "\"query\"", "\"$ref\":\"#/$defs/State\"", "shut", "ping");
    }
  }

  @Test
  default void a_tool_call_comes_back() throws InterruptedException {
    try (var test = open()) {
      test.server().answer(Answer.calls(new ToolCall("c1", "search", "{\"query\":\"login\"}")));
      var reply = test.model().call(withTools());
      assertThat(reply.finish()).isEqualTo(Finish.TOOL_CALLS);
      assertCalls(test, reply, new ToolCall("c1", "search", "{\"query\":\"login\"}"));
    }
  }

  @Test
  default void a_tool_call_without_arguments_has_an_empty_object() throws InterruptedException {
    try (var test = open()) {
      var call = new ToolCall("c1", "ping", "{}");
      test.server().answer(Answer.calls(call)).answer(Answer.calls(call));
      assertCalls(test, test.model().call(withTools()), call);
      assertCalls(test, test.model().stream(withTools(), _ -> {}), call);
    }
  }

  @Test
  default void parallel_tool_calls_keep_their_order() throws InterruptedException {
    var calls =
        new ToolCall[] {
          new ToolCall("c1", "search", "{\"query\":\"a1\"}"),
          new ToolCall("c2", "search", "{\"query\":\"b2\"}"),
          new ToolCall("c3", "ping", "{}")
        };
    try (var test = open()) {
      test.server().answer(Answer.calls(calls)).answer(Answer.calls(calls));
      assertCalls(test, test.model().call(withTools()), calls);
      assertCalls(test, test.model().stream(withTools(), _ -> {}), calls);
    }
  }

  @Test
  default void a_streamed_tool_call_is_put_together() throws InterruptedException {
    try (var test = open()) {
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
  }

  @Test
  default void malformed_arguments_are_kept_raw() throws InterruptedException {
    var broken = new ToolCall("c1", "search", "{\"query\": lo");
    try (var test = open()) {
      if (test.features().rawArguments()) {
        test.server().answer(Answer.calls(broken));
        assertCalls(test, test.model().call(withTools()), broken);
      }
      if (test.features().streamedRawArguments()) {
        test.server().answer(Answer.calls(broken));
        assertCalls(test, test.model().stream(withTools(), _ -> {}), broken);
      }
    }
  }

  @Test
  default void a_stream_gives_its_pieces_in_order_on_the_calling_thread()
      throws InterruptedException {
    try (var test = open()) {
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
  }

  @Test
  default void a_piece_arrives_before_the_reply_is_over() throws InterruptedException {
    try (var test = open()) {
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
  }

  @Test
  default void usage_is_reported_for_whole_replies_and_for_streams() throws InterruptedException {
    try (var test = open()) {
      test.server().answer(Answer.text("a")).answer(Answer.text("a"));
      var request = ChatRequest.of(Message.user("Go"));
      assertThat(test.model().call(request).usage()).isEqualTo(usage(test));
      assertThat(test.model().stream(request, _ -> {}).usage()).isEqualTo(usage(test));
    }
  }

  @Test
  default void a_cut_off_reply_says_so() throws InterruptedException {
    var cut = new Answer.Says(List.of("It was a dark and"), List.of(), Finish.LENGTH);
    try (var test = open()) {
      test.server().answer(cut).answer(cut);
      var request = ChatRequest.of(Message.user("Go")).withMaxTokens(4711);
      assertThat(test.model().call(request).finish()).isEqualTo(Finish.LENGTH);
      assertThat(test.server().lastBody()).contains("4711");
      assertThat(test.model().stream(request, _ -> {}).finish()).isEqualTo(Finish.LENGTH);
    }
  }

  @Test
  default void a_filtered_reply_without_text_is_refused() {
    try (var test = open()) {
      test.server().answer(new Answer.Says(List.of(), List.of(), Finish.FILTERED));
      assertThat(failure(test).kind()).isEqualTo(REFUSED);
    }
  }

  @Test
  default void the_schema_of_the_answer_is_sent() throws InterruptedException {
    var schema =
        new Json(
            """
            {"type":"object","properties":{"verdict":{"enum":["spam","ham"]}},\
            "required":["verdict"],"additionalProperties":false}\
            """);
    try (var test = open()) {
      test.server().answer(Answer.text("{\"verdict\":\"ham\"}"));
      test.model()
          .call(
              ChatRequest.of(Message.user("Is this spam?"))
                  .withFormat(new ResponseFormat.JsonSchema("verdict", schema)));
      assertThat(test.server().lastBody()).contains("verdict", "spam", "ham");
    }
  }

  @Test
  default void the_temperature_is_sent() throws InterruptedException {
    try (var test = open()) {
      test.server().answer(Answer.text("a"));
      test.model().call(ChatRequest.of(Message.user("Go")).withTemperature(0.25));
      assertThat(test.server().lastBody()).contains("0.25");
    }
  }

  @Test
  default void an_interrupt_cancels_a_stream_at_once() throws InterruptedException {
    cancels(new Answer.Stalls("first"), true);
  }

  @Test
  default void an_interrupt_cancels_a_call_that_waits() throws InterruptedException {
    cancels(new Answer.Hangs(), false);
  }

  private void cancels(Answer answer, boolean stream) throws InterruptedException {
    try (var test = open()) {
      test.server().answer(answer);
      var began = new CountDownLatch(1);
      var outcome = new AtomicReference<Throwable>();
      var request = ChatRequest.of(Message.user("Go"));
      var caller =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  if (stream) {
                    test.model().stream(request, _ -> began.countDown());
                  } else {
                    test.model().call(request);
                  }
                } catch (InterruptedException | RuntimeException e) {
                  outcome.set(e);
                }
              });
      if (stream) {
        assertThat(began.await(20, TimeUnit.SECONDS)).isTrue();
      } else {
        assertThat(test.server().awaitAsked()).isTrue();
      }
      caller.interrupt();
      assertThat(caller.join(Duration.ofSeconds(10))).isTrue();
      assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
      test.server().resume();
      if (stream) assertThat(test.server().awaitHangUp()).isTrue();
    }
  }

  @Test
  default void a_refused_key_is_an_auth_error_that_hides_the_key() {
    try (var test = open()) {
      test.server().answer(Answer.error(401, "Bad key: " + test.key() + "."));
      var failure = failure(test);
      assertThat(failure.kind()).isEqualTo(AUTH);
      assertThat(failure.isRetryable()).isFalse();
      assertHidesKey(test, failure);
      if (!test.key().isEmpty()) {
        assertThat(test.server().asked().getLast().authorization()).contains(test.key());
      }
    }
  }

  @Test
  default void too_many_requests_say_how_long_to_wait() {
    try (var test = open()) {
      test.server().answer(new Answer.Fails(429, Map.of("retry-after", "7"), "Slow down."));
      var failure = failure(test);
      assertThat(failure.kind()).isEqualTo(RATE_LIMITED);
      assertThat(failure.retryAfter()).contains(Duration.ofSeconds(7));
      assertThat(failure).hasMessageContaining("Slow down");
    }
  }

  @Test
  default void a_failure_of_the_vendor_is_not_retried_here() {
    try (var test = open()) {
      test.server().answer(Answer.error(500, "Oops")).answer(Answer.text("too late"));
      assertThat(failure(test).kind()).isEqualTo(OVERLOADED);
      assertThat(test.server().asked()).hasSize(1);
    }
  }

  @Test
  default void a_stream_that_cannot_begin_is_typed_too() {
    try (var test = open()) {
      test.server()
          .answer(new Answer.Fails(529, Map.of("retry-after", "3"), "Overloaded"))
          .answer(Answer.error(401, "Bad key: " + test.key()));
      var overloaded = streamFailure(test);
      assertThat(overloaded.kind()).isEqualTo(OVERLOADED);
      assertThat(overloaded.retryAfter()).contains(Duration.ofSeconds(3));
      var refused = streamFailure(test);
      assertThat(refused.kind()).isEqualTo(AUTH);
      assertHidesKey(test, refused);
    }
  }

  @Test
  default void a_request_that_is_too_long_is_told_from_a_bad_one() {
    try (var test = open()) {
      test.server()
          .answer(Answer.error(400, "This model's maximum context length is 8192 tokens."))
          .answer(Answer.error(400, "Unknown parameter: 'frobnicate'."));
      assertThat(failure(test).kind()).isEqualTo(CONTEXT_LENGTH);
      assertThat(failure(test).kind()).isEqualTo(BAD_REQUEST);
    }
  }

  @Test
  default void a_server_that_hangs_is_a_timeout() {
    var request = ChatRequest.of(Message.user("Go")).withTimeout(Duration.ofMillis(300));
    try (var test = open()) {
      test.server().answer(new Answer.Hangs()).answer(new Answer.Stalls("first"));
      var call = failureOf(() -> test.model().call(request));
      assertThat(call.kind()).isEqualTo(TIMEOUT);
      var stream = failureOf(() -> test.model().stream(request, _ -> {}));
      assertThat(stream.kind()).isEqualTo(TIMEOUT);
    }
  }

  @Test
  default void an_error_in_the_middle_of_a_stream_is_typed() {
    try (var test = open()) {
      test.server().answer(new Answer.GivesUp("first", "Too busy for " + test.key()));
      var failure = streamFailure(test);
      assertThat(failure.kind()).isEqualTo(OVERLOADED);
      assertThat(failure).hasMessageContaining("Too busy");
      assertHidesKey(test, failure);
    }
  }

  @Test
  default void a_stream_that_breaks_off_is_malformed() {
    for (var abrupt : List.of(true, false)) {
      try (var test = open()) {
        test.server().answer(new Answer.BreaksOff("first", abrupt));
        assertThat(streamFailure(test).kind()).isEqualTo(MALFORMED);
      }
    }
  }

  @Test
  default void an_empty_or_senseless_reply_is_malformed() {
    try (var test = open()) {
      for (var body : List.of("", "{}", "[]", "<html>Hi</html>", "{\"choices\":[")) {
        test.server().answer(new Answer.Sends(body)).answer(new Answer.Sends(body));
        assertThat(failure(test).kind()).as("call, %s", body).isEqualTo(MALFORMED);
        assertThat(streamFailure(test).kind()).as("stream, %s", body).isEqualTo(MALFORMED);
      }
    }
  }

  @Test
  default void a_server_that_is_gone_is_a_transport_error_naming_it() {
    var test = open();
    test.close();
    var failure = failure(test);
    assertThat(failure.kind()).isEqualTo(TRANSPORT);
    assertThat(failure).hasMessageContaining(test.server().authority());
    assertHidesKey(test, failure);
  }

  private static ChatRequest withTools() {
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
    if (test.features().callIds()) {
      assertThat(calls)
          .extracting(ToolCall::id)
          .containsExactlyElementsOf(List.of(expected).stream().map(ToolCall::id).toList());
    }
  }

  private static Usage usage(ModelUnderTest test) {
    var all = Answer.USAGE;
    return new Usage(
        all.input(),
        test.features().cachedInput() ? all.cachedInput() : 0,
        all.output(),
        test.features().reasoning() ? all.reasoning() : 0);
  }

  private static ModelException failure(ModelUnderTest test) {
    return failureOf(() -> test.model().call(ChatRequest.of(Message.user("Go"))));
  }

  private static ModelException streamFailure(ModelUnderTest test) {
    return failureOf(() -> test.model().stream(ChatRequest.of(Message.user("Go")), _ -> {}));
  }

  private static ModelException failureOf(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return catchThrowableOfType(ModelException.class, call);
  }

  private static void assertHidesKey(ModelUnderTest test, Throwable failure) {
    assertThat(test.model().toString()).doesNotContain("secret");
    for (var e = failure; e != null; e = e.getCause()) {
      assertThat(e.toString()).doesNotContain("secret");
    }
  }
}
