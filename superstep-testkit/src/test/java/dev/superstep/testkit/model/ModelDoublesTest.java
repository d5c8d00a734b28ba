package dev.superstep.testkit.model;

import static dev.superstep.testkit.model.StreamingModel.call;
import static dev.superstep.testkit.model.StreamingModel.fails;
import static dev.superstep.testkit.model.StreamingModel.more;
import static dev.superstep.testkit.model.StreamingModel.text;
import static dev.superstep.testkit.model.StreamingModel.thinking;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ScriptedModel;
import dev.superstep.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("T61")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ModelDoublesTest {
  private static final ChatRequest ASK = ChatRequest.of(Message.user("Go"));

  private static Future<ChatReply> asks(ExecutorService threads, ChatModel model) {
    return threads.submit((Callable<ChatReply>) () -> model.call(ASK));
  }

  @Test
  void a_streaming_model_gives_text_thoughts_and_calls_in_pieces_and_the_whole_in_the_end()
      throws Exception {
    var model =
        StreamingModel.replying(
            List.of(
                thinking("Hm"),
                thinking("."),
                text("Loo"),
                text("king."),
                call(0, "c1", "look", "{\"city\""),
                call(1, "c2", "look", "{}"),
                more(0, ":\"Oslo\"}")));
    var heard = new ArrayList<String>();
    var reply =
        model.stream(
            ASK,
            new ChatModel.DeltaListener() {
              @Override
              public void onText(String text) {
                heard.add("text " + text);
              }

              @Override
              public void onThinking(String text) {
                heard.add("thinking " + text);
              }

              @Override
              public void onToolCall(ChatModel.ToolCallPiece piece) {
                heard.add("call " + piece.index() + " " + piece.arguments());
              }
            });
    assertThat(heard)
        .containsExactly(
            "thinking Hm",
            "thinking .",
            "text Loo",
            "text king.",
            "call 0 {\"city\"",
            "call 1 {}",
            "call 0 :\"Oslo\"}");
    assertThat(reply.message().text()).isEqualTo("Looking.");
    assertThat(reply.message().thinking()).isEqualTo("Hm.");
    assertThat(reply.message().calls())
        .containsExactly(
            new ToolCall("c1", "look", "{\"city\":\"Oslo\"}"), new ToolCall("c2", "look", "{}"));
    assertThat(reply.finish()).isEqualTo(ChatReply.Finish.TOOL_CALLS);
    assertThat(model.requests()).containsExactly(ASK);
    assertThatThrownBy(() -> model.call(ASK))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("no reply to call 2");
  }

  @Test
  void a_gated_model_streams_only_released_pieces() throws Exception {
    var model = StreamingModel.gated(List.of(text("a"), text("b"), text("c")));
    var heard = new CopyOnWriteArrayList<String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var reply = threads.submit(() -> model.stream(ASK, heard::add));
      model.awaitBlocked();
      assertThat(heard).isEmpty();
      model.release(2);
      model.awaitPieces(2);
      model.awaitBlocked();
      assertThat(heard).containsExactly("a", "b");
      assertThat(model.pieces()).isEqualTo(2);
      model.open();
      assertThat(reply.get().message().text()).isEqualTo("abc");
    }
  }

  @Test
  void a_reply_may_break_off_after_its_first_pieces() {
    var model = StreamingModel.replying(List.of(text("a"), fails(Kind.TRANSPORT), text("b")));
    var heard = new ArrayList<String>();
    var error = catchThrowableOfType(ModelException.class, () -> model.stream(ASK, heard::add));
    assertThat(error.kind()).isEqualTo(Kind.TRANSPORT);
    assertThat(heard).containsExactly("a");
  }

  @Test
  void a_flaky_model_fails_the_first_times_or_each_n_th_time() throws Exception {
    var first = FlakyModel.first(2, Kind.OVERLOADED, ScriptedModel.saying("x", "y"));
    assertThat(outcomes(first, 4)).containsExactly("OVERLOADED", "OVERLOADED", "x", "y");
    var every = FlakyModel.every(2, Kind.RATE_LIMITED, ScriptedModel.saying("x", "y"));
    assertThat(outcomes(every, 4)).containsExactly("x", "RATE_LIMITED", "y", "RATE_LIMITED");
    assertThat(every.calls()).isEqualTo(4);
    assertThat(every.failures()).isEqualTo(2);
  }

  @Test
  void a_seeded_plan_is_the_same_each_time_and_other_seeds_have_others() throws Exception {
    var kinds = List.of(Kind.TIMEOUT, Kind.TRANSPORT);
    var plans = new ArrayList<List<String>>();
    for (long seed : new long[] {1, 1, 2}) {
      var model =
          FlakyModel.seeded(seed, 40, kinds, ScriptedModel.by(_ -> ScriptedModel.text("ok")));
      plans.add(outcomes(model, 200));
    }
    assertThat(plans.get(0)).isEqualTo(plans.get(1)).isNotEqualTo(plans.get(2));
    assertThat(plans.get(0)).contains("ok", "TIMEOUT", "TRANSPORT");
    assertThat(plans.get(0).stream().filter("ok"::equals).count()).isBetween(90L, 150L);
  }

  @Test
  void a_plan_may_ask_to_wait_and_break_off_streams() {
    var failure = new ModelException(Kind.RATE_LIMITED, "busy", Duration.ofSeconds(3), null);
    var reply = StreamingModel.replying(List.of(text("a"), text("b"), text("c")));
    var model = FlakyModel.by(_ -> Optional.of(failure), reply).afterPieces(2);
    var heard = new ArrayList<String>();
    assertThatThrownBy(() -> model.stream(ASK, heard::add)).isSameAs(failure);
    assertThat(heard).containsExactly("a", "b");
  }

  private static List<String> outcomes(ChatModel model, int calls) throws InterruptedException {
    var outcomes = new ArrayList<String>();
    for (int i = 0; i < calls; i++) {
      try {
        outcomes.add(model.call(ASK).message().text());
      } catch (ModelException e) {
        outcomes.add(e.kind().name());
      }
    }
    return outcomes;
  }

  @Test
  void a_slow_model_waits_for_its_release_and_counts_waiting_callers() throws Exception {
    var model = SlowModel.blocked(ScriptedModel.saying("a", "b", "c"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = asks(threads, model);
      var second = asks(threads, model);
      model.awaitCallers(2);
      assertThat(List.of(first.isDone(), second.isDone())).containsOnly(false);
      model.open();
      first.get();
      second.get();
      assertThat(asks(threads, model).get().message().text()).isEqualTo("c");
    }
    assertThat(model.peakCallsInFlight()).isEqualTo(2);
    assertThat(model.callsInFlight()).isZero();
    assertThat(model.calls()).isEqualTo(3);
  }

  @Test
  void a_slow_model_takes_the_time_of_a_clock_that_the_test_moves() throws Exception {
    var clock = ManualClock.at("2026-01-02T03:04:05Z");
    var model = SlowModel.taking(Duration.ofHours(1), clock, ScriptedModel.saying("late"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var reply = asks(threads, model);
      model.awaitCallers(1);
      clock.advance(Duration.ofMinutes(59));
      assertThat(reply.isDone()).isFalse();
      clock.advance(Duration.ofMinutes(1));
      assertThat(reply.get().message().text()).isEqualTo("late");
    }
  }

  @Test
  void an_interrupted_caller_does_not_wait_for_a_slow_model() throws Exception {
    var model = SlowModel.blocked(ScriptedModel.saying("never"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var reply = asks(threads, model);
      model.awaitCallers(1);
      threads.shutdownNow();
      assertThatThrownBy(reply::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(InterruptedException.class);
    }
    assertThat(model.callsInFlight()).isZero();
  }
}
