package dev.superstep.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.superstep.message.Message;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A model of LangChain4j's that tells without end ends its call.
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class EndlessStreamTest {
  /// Tells pieces until it is interrupted.
  private record Endless(java.util.function.BiConsumer<StreamingChatResponseHandler, Integer> piece)
      implements StreamingChatModel {
    @Override
    public void doChat(
        dev.langchain4j.model.chat.request.ChatRequest asked,
        StreamingChatResponseHandler handler) {
      for (int i = 0; !Thread.currentThread().isInterrupted(); i++) piece.accept(handler, i);
    }
  }

  private static ModelException failure(StreamingChatModel theirs, LongConsumer heard) {
    var model = FromLangChain4j.model("endless", theirs);
    var request = ChatRequest.of(Message.user("Go."));
    return catchThrowableOfType(
        ModelException.class, () -> model.stream(request, text -> heard.accept(text.length())));
  }

  @Test
  void text_without_end_ends_the_call() {
    var text = "x".repeat(10_000);
    var heard = new AtomicLong();
    var error = failure(new Endless((to, _) -> to.onPartialResponse(text)), heard::addAndGet);
    assertThat(error.kind()).isEqualTo(ModelException.Kind.TOO_LARGE);
    assertThat(error).hasMessageContaining("16777216 characters");
    assertThat(heard.get()).isLessThanOrEqualTo(ReplyListener.KEPT_MAX);
  }

  @Test
  void calls_without_end_end_the_call() {
    var endless =
        new Endless((to, i) ->
            to.onPartialToolCall(
                PartialToolCall.builder()
                    .index(i)
                    .id("c")
                    .name("look")
                    .partialArguments("{")
                    .build()));
    var error = failure(endless, _ -> {});
    assertThat(error.kind()).isEqualTo(ModelException.Kind.TOO_LARGE);
    assertThat(error).hasMessageContaining("1000 tool calls");
  }

  @Test
  void a_whole_reply_with_too_many_calls_is_refused() {
    var calls = new ArrayList<ToolExecutionRequest>();
    for (int i = 0; i <= ReplyListener.CALLS_MAX; i++) {
      calls.add(ToolExecutionRequest.builder().id("c" + i).name("look").arguments("{}").build());
    }
    var whole = ChatResponse.builder().aiMessage(AiMessage.from(calls)).build();
    var error = failure(new Endless((to, _) -> to.onCompleteResponse(whole)), _ -> {});
    assertThat(error.kind()).isEqualTo(ModelException.Kind.TOO_LARGE);
  }
}
