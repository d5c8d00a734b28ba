package dev.superstep.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel.ToolCallPiece;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.model.ChatRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Tests of the parts of a reply beside its text. Part of [ChatModelSuite].
public interface ModelReplySuite extends ModelSuite {
  @Test
  default void thoughts_come_apart_from_the_text(ModelUnderTest test) throws InterruptedException {
    if (!test.has(Feature.THINKING)) return;
    var answer =
        new Answer.Says(
            List.of("I should", " look."), List.of("Here", " it is."), List.of(), Finish.STOP);
    test.server().answer(answer).answer(answer);
    var called = test.model().call(ChatRequest.of(Message.user("Go")));
    var heard = new StreamRecorder();
    var streamed = test.model().stream(ChatRequest.of(Message.user("Go")), heard);
    for (var reply : List.of(called, streamed)) {
      assertThat(reply.message().thinking()).isEqualTo("I should look.");
      assertThat(reply.message().text()).isEqualTo("Here it is.");
      assertThat(reply.message().content().getFirst()).isInstanceOf(Content.Thinking.class);
    }
    assertThat(heard.pieces)
        .containsExactly("think:I should", "think: look.", "text:Here", "text: it is.");
  }

  @Test
  default void a_thought_is_sent_back_to_its_vendor(ModelUnderTest test)
      throws InterruptedException {
    if (!test.has(Feature.THINKING_BACK)) return;
    var call = new ToolCall("c1", "ping", "{}");
    var answer =
        new Answer.Says(List.of("I should", " look."), List.of(), List.of(call), Finish.TOOL_CALLS);
    test.server().answer(answer).answer(Answer.text("Done."));
    test.server().answer(answer).answer(Answer.text("Done."));
    for (var stream : List.of(false, true)) {
      var reply = ask(test, ChatModelSuite.withTools(), stream);
      ask(test, followUp(reply), stream);
      assertThat(test.server().lastBody()).contains("I should look.", "pong");
    }
  }

  @Test
  default void a_sealed_call_is_sent_back_unchanged(ModelUnderTest test)
      throws InterruptedException {
    if (!test.has(Feature.CALL_SEALS)) return;
    var data = Json.parse("{\"thoughtSignature\":\"" + Answer.Says.SEAL + "\"}");
    var vendor = test.model().ref().provider();
    var sealed = new ToolCall("c1", "ping", "{}", Optional.of(new Content.Seal(vendor, data)));
    var answer = Answer.calls(sealed, new ToolCall("c2", "ping", "{}"));
    test.server().answer(answer).answer(answer).answer(Answer.text("Done."));
    var reply = ask(test, ChatModelSuite.withTools(), false);
    assertThat(reply.message().calls())
        .extracting(ToolCall::seal)
        .containsExactly(sealed.seal(), Optional.empty());
    assertThat(ask(test, ChatModelSuite.withTools(), true).message().calls())
        .extracting(ToolCall::seal)
        .containsExactly(sealed.seal(), Optional.empty());
    ask(test, followUp(reply), false);
    assertThat(test.server().lastBody()).containsOnlyOnce(Answer.Says.SEAL);
  }

  @Test
  default void pieces_of_calls_add_up_to_the_calls(ModelUnderTest test)
      throws InterruptedException {
    var calls =
        new ToolCall[] {
          new ToolCall("c1", "search", "{\"query\":\"a long question\"}"),
          new ToolCall("c2", "ping", "{}")
        };
    test.server().answer(Answer.calls(calls));
    var heard = new StreamRecorder();
    var reply = test.model().stream(ChatModelSuite.withTools(), heard);
    for (int i = 0; i < calls.length; i++) {
      var call = reply.message().calls().get(i);
      assertThat(heard.tool(i)).isEqualTo(call.tool());
      assertThat(heard.arguments(i)).isIn(call.arguments(), i == 1 ? "" : call.arguments());
      if (test.has(Feature.CALL_IDS)) assertThat(heard.id(i)).isEqualTo(call.id());
    }
    assertThat(heard.calls).extracting(ToolCallPiece::index).isSubsetOf(0, 1).isSorted();
  }

  @Test
  default void a_merged_stream_equals_the_call(ModelUnderTest test) throws InterruptedException {
    var thoughts = test.has(Feature.THINKING) ? List.of("First", " this.") : List.<String>of();
    var calls = List.of(new ToolCall("c1", "search", "{\"query\":\"x\"}"));
    for (var answer :
        List.of(
            new Answer.Says(thoughts, List.of("One", " two"), List.of(), Finish.STOP),
            new Answer.Says(thoughts, List.of("One", " two"), calls, Finish.TOOL_CALLS),
            new Answer.Says(thoughts, List.of("One"), List.of(), Finish.LENGTH))) {
      test.server().answer(answer).answer(answer);
      var called = ask(test, ChatModelSuite.withTools(), false);
      var streamed = ask(test, ChatModelSuite.withTools(), true);
      assertThat(withoutMadeUpIds(test, streamed)).isEqualTo(withoutMadeUpIds(test, called));
    }
  }

  @Test
  default void a_receipt_names_the_reply_and_its_model(ModelUnderTest test)
      throws InterruptedException {
    test.server().answer(Answer.text("a")).answer(Answer.text("a"));
    for (var stream : List.of(false, true)) {
      var receipt = ask(test, ChatRequest.of(Message.user("Go")), stream).receipt();
      assertThat(receipt.model()).isEqualTo("m");
      assertThat(receipt.id().isEmpty()).isEqualTo(!test.has(Feature.REPLY_IDS));
    }
  }

  @Test
  default void a_reply_may_be_empty(ModelUnderTest test) throws InterruptedException {
    var nothing = new Answer.Says(List.of(), List.of(), Finish.STOP);
    var emptyText = new Answer.Says(List.of(""), List.of(), Finish.STOP);
    for (var answer : List.of(nothing, emptyText)) {
      test.server().answer(answer).answer(answer);
      for (var stream : List.of(false, true)) {
        var reply = ask(test, ChatRequest.of(Message.user("Go")), stream);
        assertThat(reply.message().isEmpty()).isTrue();
        assertThat(reply.finish()).isEqualTo(Finish.STOP);
      }
    }
  }

  @Test
  default void a_reply_may_be_cut_off_while_it_thinks(ModelUnderTest test)
      throws InterruptedException {
    if (!test.has(Feature.THINKING)) return;
    var cut = new Answer.Says(List.of("Hmm, let me"), List.of(), List.of(), Finish.LENGTH);
    test.server().answer(cut).answer(cut);
    for (var stream : List.of(false, true)) {
      var reply = ask(test, ChatRequest.of(Message.user("Go")), stream);
      assertThat(reply.message().text()).isEmpty();
      assertThat(reply.message().thinking()).isEqualTo("Hmm, let me");
      assertThat(reply.finish()).isEqualTo(Finish.LENGTH);
    }
  }

  private static ChatRequest followUp(ChatReply reply) {
    var messages = new ArrayList<Message>(List.of(Message.user("Go"), reply.message()));
    for (var call : reply.message().calls()) {
      messages.add(new ToolMessage("", call.id(), call.tool(), "pong", false));
    }
    return ChatRequest.of(messages).withTools(List.of(ChatModelSuite.PING));
  }

  private static ChatReply ask(ModelUnderTest test, ChatRequest request, boolean stream)
      throws InterruptedException {
    return stream ? test.model().stream(request, _ -> {}) : test.model().call(request);
  }

  private static ChatReply withoutMadeUpIds(ModelUnderTest test, ChatReply reply) {
    if (test.has(Feature.CALL_IDS)) return reply;
    var message = reply.message();
    var calls =
        message.calls().stream()
            .map(call -> new ToolCall("", call.tool(), call.arguments(), call.seal()))
            .toList();
    return reply.withMessage(new AssistantMessage("", message.content(), calls));
  }
}
