package dev.superstep.testkit.model;

import static dev.superstep.model.ModelException.Kind.AUTH;
import static dev.superstep.model.ModelException.Kind.BAD_REQUEST;
import static dev.superstep.model.ModelException.Kind.CONTEXT_LENGTH;
import static dev.superstep.model.ModelException.Kind.MALFORMED;
import static dev.superstep.model.ModelException.Kind.OVERLOADED;
import static dev.superstep.model.ModelException.Kind.RATE_LIMITED;
import static dev.superstep.model.ModelException.Kind.TIMEOUT;
import static dev.superstep.model.ModelException.Kind.TRANSPORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.message.Message;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests of a model whose vendor fails, and of callers that give up. Part of [ChatModelSuite].
@Tag("T18")
public interface ModelFailureSuite extends ModelSuite {
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
  default void a_refused_key_is_an_auth_error_that_hides_the_key(ModelUnderTest test) {
    test.server().answer(Answer.error(401, "Bad key: " + test.key() + "."));
    var failure = failure(test);
    assertThat(failure.kind()).isEqualTo(AUTH);
    assertThat(failure.isRetryable()).isFalse();
    assertHidesKey(test, failure);
    if (!test.key().isEmpty()) {
      assertThat(test.server().asked().getLast().authorization()).contains(test.key());
    }
  }

  @Test
  default void too_many_requests_say_how_long_to_wait(ModelUnderTest test) {
    test.server().answer(new Answer.Fails(429, Map.of("retry-after", "7"), "Slow down."));
    var failure = failure(test);
    assertThat(failure.kind()).isEqualTo(RATE_LIMITED);
    assertThat(failure.retryAfter()).contains(Duration.ofSeconds(7));
    assertThat(failure).hasMessageContaining("Slow down");
  }

  @Test
  default void a_failure_of_the_vendor_is_not_retried_here(ModelUnderTest test) {
    test.server().answer(Answer.error(500, "Oops")).answer(Answer.text("too late"));
    assertThat(failure(test).kind()).isEqualTo(OVERLOADED);
    assertThat(test.server().asked()).hasSize(1);
  }

  @Test
  default void a_stream_that_cannot_begin_is_typed_too(ModelUnderTest test) {
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

  @Test
  default void a_request_that_is_too_long_has_another_error_than_a_bad_one(ModelUnderTest test) {
    test.server()
        .answer(Answer.error(400, "This model's maximum context length is 8192 tokens."))
        .answer(Answer.error(400, "Unknown parameter: 'frobnicate'."));
    assertThat(failure(test).kind()).isEqualTo(CONTEXT_LENGTH);
    assertThat(failure(test).kind()).isEqualTo(BAD_REQUEST);
  }

  @Test
  default void a_server_that_hangs_is_a_timeout(ModelUnderTest test) {
    var request = ChatRequest.of(Message.user("Go")).withTimeout(Duration.ofMillis(300));
    test.server().answer(new Answer.Hangs()).answer(new Answer.Stalls("first"));
    var call = failureOf(() -> test.model().call(request));
    assertThat(call.kind()).isEqualTo(TIMEOUT);
    var stream = failureOf(() -> test.model().stream(request, _ -> {}));
    assertThat(stream.kind()).isEqualTo(TIMEOUT);
  }

  @Test
  default void an_error_in_the_middle_of_a_stream_is_typed(ModelUnderTest test) {
    test.server().answer(new Answer.GivesUp("first", "Too busy for " + test.key()));
    var failure = streamFailure(test);
    assertThat(failure.kind()).isEqualTo(OVERLOADED);
    assertThat(failure).hasMessageContaining("Too busy");
    assertHidesKey(test, failure);
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
  default void an_empty_or_senseless_reply_is_malformed(ModelUnderTest test) {
    for (var body : List.of("", "{}", "[]", "<html>Hi</html>", "{\"choices\":[")) {
      test.server().answer(new Answer.Sends(body)).answer(new Answer.Sends(body));
      assertThat(failure(test).kind()).as("call, %s", body).isEqualTo(MALFORMED);
      assertThat(streamFailure(test).kind()).as("stream, %s", body).isEqualTo(MALFORMED);
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

  /// Calls the model and returns its failure.
  static ModelException failure(ModelUnderTest test) {
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
