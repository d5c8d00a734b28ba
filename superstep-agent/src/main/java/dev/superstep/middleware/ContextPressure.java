package dev.superstep.middleware;

import dev.superstep.message.Message;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Makes a prompt fit before it is sent, in this order and only as far as needed: drops
/// [RetrievedText], trims old messages, summarizes, shortens results of tools, and gives up with a
/// [ModelException] of kind CONTEXT_LENGTH. Each action is reported. Only actions that are set up
/// are taken, beside the first and the last.
///
/// Add it after all other middleware that changes prompts. Immutable; the `with` methods return
/// changed copies.
public final class ContextPressure implements Middleware {
  private final OptionalLong most;
  private final double share;
  private @Nullable Trimming trimming;
  private @Nullable Summarization summarization;
  private OptionalInt resultMax = OptionalInt.empty();

  private ContextPressure(OptionalLong most, double share) {
    this.most = most;
    this.share = share;
  }

  private ContextPressure(ContextPressure from) {
    this(from.most, from.share);
    this.trimming = from.trimming;
    this.summarization = from.summarization;
    this.resultMax = from.resultMax;
  }

  /// Prompts have at most so many tokens.
  public static ContextPressure within(long tokens) {
    if (tokens < 1) throw new IllegalArgumentException("tokens must be at least 1, was " + tokens);
    return new ContextPressure(OptionalLong.of(tokens), 1);
  }

  /// Prompts take at most this share of the model's context window, so that there is room for the
  /// answer. A model whose window is not known is left alone.
  public static ContextPressure withinShare(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("share must be above 0 and at most 1, was " + share);
    }
    return new ContextPressure(OptionalLong.empty(), share);
  }

  /// Shows only the newest part of the conversation.
  public ContextPressure withTrimming(ConversationTail extent) {
    var copy = new ContextPressure(this);
    copy.trimming = Trimming.to(extent);
    return copy;
  }

  /// Summarizes what is old. Its own triggers do not matter, and it is not to be added again.
  public ContextPressure withSummarization(Summarization how) {
    var copy = new ContextPressure(this);
    copy.summarization = how;
    return copy;
  }

  /// Shows only the beginning and the end of results of tools.
  ///
  /// @param characters the most that is shown of each
  public ContextPressure withResults(int characters) {
    if (characters < 1) throw new IllegalArgumentException("characters must be at least 1");
    var copy = new ContextPressure(this);
    copy.resultMax = OptionalInt.of(characters);
    return copy;
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return summarization == null ? List.of() : summarization.channels();
  }

  @Override
  public List<Tool> tools() {
    return summarization == null ? List.of() : summarization.tools();
  }

  @Override
  public ChatRequest beforeModel(ChatRequest given, AgentContext context)
      throws InterruptedException {
    var request = summarization == null ? given : summarization.withSummaries(given, context);
    long limit = limit(context);
    if (fits(request, limit, context)) return request;
    request = withoutRetrieved(request, context);
    if (fits(request, limit, context)) return request;
    if (trimming != null) request = trimming.trimmed(request, context);
    if (fits(request, limit, context)) return request;
    if (summarization != null) {
      request = summarization.summarized(request, context, "pressure-summary");
    }
    if (fits(request, limit, context)) return request;
    if (resultMax.isPresent()) request = compacted(request, resultMax.getAsInt(), context);
    if (fits(request, limit, context)) return request;
    throw new ModelException(
        ModelException.Kind.CONTEXT_LENGTH,
        """
        The prompt of agent `%s` has about %d tokens, and %d are allowed, after all that could be \
        left out of it was. Shorten the input, or take a model with a larger context.\
        """
            .formatted(context.agent(), context.counter().count(request), limit));
  }

  private long limit(AgentContext context) {
    if (most.isPresent()) return most.getAsLong();
    var window = context.profile().contextWindow();
    return window.isPresent() ? (long) (window.getAsLong() * share) : Long.MAX_VALUE;
  }

  private static boolean fits(ChatRequest request, long limit, AgentContext context) {
    return limit == Long.MAX_VALUE || context.counter().count(request) <= limit;
  }

  private static ChatRequest withoutRetrieved(ChatRequest request, AgentContext context) {
    var all = MessageGroup.of(request);
    var dropped =
        all.stream()
            .filter(one -> !one.isPinned() && RetrievedText.is(one.messages().getFirst()))
            .toList();
    // A prompt of nothing but retrieved text has nothing else to show.
    if (dropped.isEmpty() || dropped.size() == all.size()) return request;
    return Trimming.without(request, all, dropped, "dropping retrieved text", context);
  }

  private static ChatRequest compacted(ChatRequest request, int most, AgentContext context) {
    var sources = new ArrayList<String>();
    var messages = new ArrayList<Message>(request.messages().size());
    for (var message : request.messages()) {
      boolean isLong = message instanceof ToolMessage && message.text().length() > most;
      if (isLong) sources.add(MessageGroup.id(message));
      messages.add(isLong ? shortened((ToolMessage) message, most) : message);
    }
    if (sources.isEmpty()) return request;
    var after = request.withMessages(messages);
    return CompressionEvents.publish(request, after, "compacting tool results", sources, context);
  }

  private static Message shortened(ToolMessage answer, int most) {
    return answer.withText(Excerpt.headAndTail(answer.text(), most));
  }

  @Override
  public String toString() {
    return "ContextPressure[" + share + "]";
  }
}
