package dev.superstep.spring.ai;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.Usage;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;

/// A model of Spring AI's. Its calls run on a thread of their own, because not all of them can be
/// interrupted: an interrupt and the end of the time end the call here at once. Safe for many
/// threads if the model is.
final class SpringAiModel implements ChatModel {
  private final ModelRef ref;
  private final Supplier<org.springframework.ai.chat.model.ChatModel> model;

  /// The end of a call: one of both.
  private record End(@Nullable ChatResponse response, @Nullable Throwable error) {}

  /// @param model looked up at each call
  SpringAiModel(String name, Supplier<org.springframework.ai.chat.model.ChatModel> model) {
    this.ref = new ModelRef(Conversations.VENDOR, name);
    this.model = model;
  }

  @Override
  public ModelRef ref() {
    return ref;
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    var theirs = model.get();
    var prompt = Prompts.toSpring(request, theirs.getOptions(), ref);
    var end = await(theirs, prompt, request);
    if (end.error() != null) throw ErrorConversions.fromSpring(ref, end.error());
    var response = end.response();
    if (response == null) throw empty();
    // Some tell each thought as a result of its own.
    var thought = new StringBuilder();
    Generation result = null;
    for (var part : response.getResults()) {
      if (isThought(part)) thought.append(text(part.getOutput().getText()));
      else if (result == null) result = part;
    }
    if (result == null) throw empty();
    var message = Conversations.fromSpring(result.getOutput());
    if (!thought.isEmpty()) message = withThought(message, thought.toString());
    check(message);
    var reason = result.getMetadata().getFinishReason();
    var ids = response.getMetadata();
    var receipt = new ChatReply.Receipt(text(ids.getId()), text(ids.getModel()));
    return reply(message, text(reason), receipt, response);
  }

  private static boolean isThought(Generation part) {
    var said = part.getOutput();
    return said.getMetadata().get("signature") instanceof String && !said.hasToolCalls();
  }

  private static AssistantMessage withThought(AssistantMessage message, String thought) {
    var content = new ArrayList<Content>();
    content.add(new Content.Thinking(thought, Optional.empty()));
    content.addAll(message.content());
    return new AssistantMessage(message.id(), content, message.calls());
  }

  private End await(
      org.springframework.ai.chat.model.ChatModel theirs, Prompt prompt, ChatRequest request)
      throws InterruptedException {
    BlockingQueue<End> ends = new ArrayBlockingQueue<>(1);
    var asking =
        Thread.ofVirtual()
            .name("superstep-spring-ai-" + ref.model())
            .start(() -> {
              try {
                ends.add(new End(theirs.call(prompt), null));
              } catch (RuntimeException | Error e) {
                ends.add(new End(null, e));
              }
            });
    try {
      var end = ends.poll(request.timeout().toNanos(), TimeUnit.NANOSECONDS);
      if (end == null) throw ReplySubscriber.tooLate(ref, request.timeout());
      return end;
    } finally {
      asking.interrupt();
    }
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    var theirs = model.get();
    var prompt = Prompts.toSpring(request, theirs.getOptions(), ref);
    var subscriber = new ReplySubscriber(ref, request.timeout(), listener);
    ReplySubscriber.Heard heard;
    try {
      heard = subscriber.await(theirs.stream(prompt));
    } catch (UnsupportedOperationException _) {
      // The model has no streams.
      return ChatModel.super.stream(request, listener);
    }
    var counted = heard.counted();
    if (counted == null) throw empty();
    var message = Conversations.fromSpring(heard.text(), heard.message());
    return reply(message, heard.finish(), heard.receipt(), counted);
  }

  private void check(AssistantMessage message) {
    if (message.calls().size() > ReplySubscriber.CALLS_MAX) {
      throw ReplySubscriber.tooLarge(ref, ReplySubscriber.CALLS_MAX + " tool calls");
    }
    if (message.text().length() > ReplySubscriber.KEPT_MAX) {
      throw ReplySubscriber.tooLarge(ref, ReplySubscriber.KEPT_MAX + " characters");
    }
  }

  private ModelException empty() {
    return new ModelException(
        ModelException.Kind.MALFORMED,
        "Spring AI gave a reply without a result. Ask again (`%s`).".formatted(ref));
  }

  private ChatReply reply(
      AssistantMessage message, String reason, ChatReply.Receipt receipt, ChatResponse counted) {
    var finish = finish(reason, message.hasToolCalls());
    if (finish == Finish.FILTERED && message.isEmpty()) {
      throw new ModelException(
          ModelException.Kind.REFUSED,
          "The model's filter refused to answer. Ask in other words (`%s`).".formatted(ref));
    }
    return new ChatReply(message, usage(counted), finish, ref, ChatReply.Source.LIVE, receipt);
  }

  private static Usage usage(ChatResponse counted) {
    var used = counted.getMetadata().getUsage();
    if (used == null) return Usage.NONE;
    if (used.getNativeUsage() instanceof Usage ours) return ours;
    return new Usage(
        count(used.getPromptTokens()),
        count(used.getCacheReadInputTokens()),
        count(used.getCacheWriteInputTokens()),
        count(used.getCompletionTokens()),
        0,
        false);
  }

  // Each model of Spring AI's has its vendor's words.
  private static Finish finish(String reason, boolean hasCalls) {
    return switch (reason.toUpperCase(Locale.ROOT)) {
      case "LENGTH", "MAX_TOKENS", "MODEL_LENGTH", "MODEL_CONTEXT_WINDOW_EXCEEDED" -> Finish.LENGTH;
      case "CONTENT_FILTER", "SAFETY", "REFUSAL", "PROHIBITED_CONTENT", "BLOCKLIST", "RECITATION" ->
          Finish.FILTERED;
      case "PAUSE_TURN", "PAUSED" -> Finish.PAUSED;
      default -> hasCalls ? Finish.TOOL_CALLS : Finish.STOP;
    };
  }

  private static long count(@Nullable Number tokens) {
    return tokens == null ? 0 : tokens.longValue();
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  @Override
  public String toString() {
    return "SpringAiModel[" + ref + "]";
  }
}
