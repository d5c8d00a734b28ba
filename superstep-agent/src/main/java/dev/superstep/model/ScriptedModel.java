package dev.superstep.model;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// A model for tests and demos with scripted replies. First its rules are asked, in order; what no
/// rule answers gets the next of the fixed replies. Every request is recorded.
///
/// Safe for many threads; who gets which fixed reply is then up to the threads, so give parallel
/// callers rules.
public final class ScriptedModel implements ChatModel {
  private final ModelRef ref;
  private final ModelIdentity identity = ModelIdentity.unique();
  private final List<Function<ChatRequest, Optional<ChatReply>>> rules;
  private final Deque<ChatReply> replies;
  private final int scripted;
  private final List<ChatRequest> requests = new ArrayList<>();
  private final ReentrantLock turn = new ReentrantLock();

  ScriptedModel(
      ModelRef ref,
      List<Function<ChatRequest, Optional<ChatReply>>> rules,
      List<ChatReply> replies) {
    this.ref = ref;
    this.rules = List.copyOf(rules);
    this.replies = new ArrayDeque<>(replies);
    this.scripted = replies.size();
  }

  /// Says these texts, one a call.
  public static ScriptedModel saying(String... texts) {
    return replying(List.of(texts).stream().map(ScriptedModel::text).toList());
  }

  /// Gives these replies, one a call.
  public static ScriptedModel replying(ChatReply... replies) {
    return replying(List.of(replies));
  }

  /// Gives these replies, one a call.
  public static ScriptedModel replying(List<ChatReply> replies) {
    return new ScriptedModel(new ModelRef("scripted", "test"), List.of(), replies);
  }

  /// Answers every request by a rule, which may throw a [ModelException].
  public static ScriptedModel by(Function<ChatRequest, ChatReply> rule) {
    return new ScriptedModel(
        new ModelRef("scripted", "test"),
        List.of(request -> Optional.of(rule.apply(request))),
        List.of());
  }

  /// Reads a script, as `scripted://path/file.json` names it:
  ///
  /// ```json
  /// {"replies": [
  ///   {"when": "weather", "calls": [{"tool": "get_weather", "arguments": {"city": "Oslo"}}]},
  ///   {"text": "The first thing said when no rule fits."},
  ///   {"text": "The second, cut", "finish": "LENGTH", "usage": {"input": 10, "output": 5}}
  /// ]}
  /// ```
  ///
  /// A reply with `when` is a rule: it answers, any number of times, each request whose last
  /// message contains that text; an empty text fits them all. A reply without is given once, in
  /// order. Every reply has `text`, `calls`, or both; ids of calls may be left out.
  ///
  /// @throws MalformedScript if the file has another form
  /// @throws ModelException UNAVAILABLE if the file cannot be read
  public static ScriptedModel open(Path file) {
    return Scripts.read(file);
  }

  /// A reply that ends the turn with a text.
  public static ChatReply text(String text) {
    return reply(new AssistantMessage("", text, List.of()), Usage.NONE, ChatReply.Finish.STOP);
  }

  /// A reply that asks for tools.
  public static ChatReply calls(ToolCall... calls) {
    var message = new AssistantMessage("", "", List.of(calls));
    return reply(message, Usage.NONE, ChatReply.Finish.TOOL_CALLS);
  }

  /// Any reply.
  public static ChatReply reply(AssistantMessage message, Usage usage, ChatReply.Finish finish) {
    var model = new ModelRef("scripted", "test");
    return new ChatReply(message, usage, finish, model, ChatReply.Source.SCRIPTED);
  }

  @Override
  public ModelRef ref() {
    return ref;
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return Optional.of(identity);
  }

  /// @throws ModelException UNAVAILABLE if the script is at its end
  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    turn.lockInterruptibly();
    try {
      requests.add(request);
    } finally {
      turn.unlock();
    }
    for (var rule : rules) {
      var reply = rule.apply(request);
      if (reply.isPresent()) return stamped(reply.get());
    }
    return stamped(next(request));
  }

  /// The number of calls of the model.
  public int calls() {
    return requests().size();
  }

  /// Everything that the model was asked, oldest first.
  public List<ChatRequest> requests() {
    turn.lock();
    try {
      return List.copyOf(requests);
    } finally {
      turn.unlock();
    }
  }

  private ChatReply next(ChatRequest request) {
    turn.lock();
    try {
      var next = replies.poll();
      if (next != null) return next;
    } finally {
      turn.unlock();
    }
    throw new ModelException(
        ModelException.Kind.UNAVAILABLE,
        "Script %s is at its end: %d calls, %d fixed replies, %d rules, none for: %s"
            .formatted(ref, calls(), scripted, rules.size(), RecordingModel.asked(request)));
  }

  private ChatReply stamped(ChatReply reply) {
    return new ChatReply(
        reply.message(), reply.usage(), reply.finish(), ref, reply.source(), reply.receipt());
  }

  @Override
  public String toString() {
    return "ScriptedModel[" + ref + "]";
  }
}
