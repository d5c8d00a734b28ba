package dev.superstep.langchain4j;

import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.Usage;
import org.jspecify.annotations.Nullable;

/// A model of LangChain4j's. Its calls run on a thread of their own, because not all of them can be
/// interrupted: an interrupt and the end of the time end the call here at once. Safe for many
/// threads if the model is.
final class LangChain4jModel implements ChatModel {
  private final ModelRef ref;
  private final dev.langchain4j.model.chat.@Nullable ChatModel whole;
  private final @Nullable StreamingChatModel streaming;

  private LangChain4jModel(
      String name,
      dev.langchain4j.model.chat.@Nullable ChatModel whole,
      @Nullable StreamingChatModel streaming) {
    this.ref = new ModelRef("langchain4j", name);
    this.whole = whole;
    this.streaming = streaming;
  }

  static LangChain4jModel of(String name, dev.langchain4j.model.chat.ChatModel whole) {
    return new LangChain4jModel(name, whole, null);
  }

  static LangChain4jModel of(String name, StreamingChatModel streaming) {
    return new LangChain4jModel(name, null, streaming);
  }

  static LangChain4jModel of(
      String name, dev.langchain4j.model.chat.ChatModel whole, StreamingChatModel streaming) {
    return new LangChain4jModel(name, whole, streaming);
  }

  @Override
  public ModelRef ref() {
    return ref;
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    var asked = Requests.toLangChain4j(request, ref);
    var model = whole;
    if (model == null) return stream(request, _ -> {});
    var call = new ReplyListener(ref, request.timeout(), _ -> {});
    return reply(call.await(() -> call.onCompleteResponse(model.chat(asked))));
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    var model = streaming;
    if (model == null) return ChatModel.super.stream(request, listener);
    var asked = Requests.toLangChain4j(request, ref);
    var call = new ReplyListener(ref, request.timeout(), listener);
    return reply(call.await(() -> model.chat(asked, call)));
  }

  private ChatReply reply(ChatResponse response) {
    var message = Conversations.fromLangChain4j(response.aiMessage());
    var finish = finish(response.finishReason(), message.hasToolCalls());
    var used = response.tokenUsage();
    var usage = used == null ? Usage.NONE : usage(used);
    var receipt = new ChatReply.Receipt(text(response.id()), text(response.modelName()));
    return new ChatReply(message, usage, finish, ref, ChatReply.Source.LIVE, receipt);
  }

  private static Usage usage(TokenUsage used) {
    return new Usage(count(used.inputTokenCount()), 0, count(used.outputTokenCount()), 0);
  }

  private static Finish finish(@Nullable FinishReason reason, boolean hasCalls) {
    var known = reason == null ? FinishReason.OTHER : reason;
    return switch (known) {
      case LENGTH -> Finish.LENGTH;
      case CONTENT_FILTER -> Finish.FILTERED;
      case STOP, TOOL_EXECUTION, OTHER -> hasCalls ? Finish.TOOL_CALLS : Finish.STOP;
    };
  }

  private static long count(@Nullable Integer tokens) {
    return tokens == null ? 0 : tokens;
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  @Override
  public String toString() {
    return "LangChain4jModel[" + ref + "]";
  }
}
