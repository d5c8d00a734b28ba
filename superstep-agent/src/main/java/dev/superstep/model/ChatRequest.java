package dev.superstep.model;

import dev.superstep.message.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a model is asked. Immutable; the `with` methods return changed copies.
public final class ChatRequest {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private final List<Message> messages;
  private List<ToolSpec> tools = List.of();
  private ResponseFormat format = new ResponseFormat.Text();
  private @Nullable Double temperature;
  private @Nullable Integer maxTokens;
  private @Nullable Long seed;
  private Duration timeout = TIMEOUT;

  private ChatRequest(List<Message> messages) {
    if (messages.isEmpty()) {
      throw new IllegalArgumentException("messages must hold at least one message");
    }
    this.messages = List.copyOf(messages);
  }

  private ChatRequest(ChatRequest from) {
    this.messages = from.messages;
    this.tools = from.tools;
    this.format = from.format;
    this.temperature = from.temperature;
    this.maxTokens = from.maxTokens;
    this.seed = from.seed;
    this.timeout = from.timeout;
  }

  /// A request for free text, without tools.
  public static ChatRequest of(List<? extends Message> messages) {
    return new ChatRequest(List.copyOf(messages));
  }

  /// A request for free text, without tools.
  public static ChatRequest of(Message... messages) {
    return new ChatRequest(List.of(messages));
  }

  /// The tools that the model may call.
  public ChatRequest withTools(List<ToolSpec> specs) {
    var copy = new ChatRequest(this);
    copy.tools = List.copyOf(specs);
    return copy;
  }

  /// The form of the answer; text unless set.
  public ChatRequest withFormat(ResponseFormat responseFormat) {
    var copy = new ChatRequest(this);
    copy.format = responseFormat;
    return copy;
  }

  /// How far the model may stray from the likeliest token; 0 is greedy. The vendor's default unless
  /// set.
  public ChatRequest withTemperature(double value) {
    if (!(value >= 0)) throw new IllegalArgumentException("temperature must be 0 or more");
    var copy = new ChatRequest(this);
    copy.temperature = value;
    return copy;
  }

  /// The longest answer, in tokens. The vendor's default unless set.
  public ChatRequest withMaxTokens(int tokens) {
    if (tokens < 1) throw new IllegalArgumentException("maxTokens must be at least 1");
    var copy = new ChatRequest(this);
    copy.maxTokens = tokens;
    return copy;
  }

  /// Makes sampling repeatable where the vendor supports it.
  public ChatRequest withSeed(long value) {
    var copy = new ChatRequest(this);
    copy.seed = value;
    return copy;
  }

  /// How long the whole call may take once the model works on it; five minutes unless set. Waiting
  /// for a turn at a model that takes one call at a time does not count.
  public ChatRequest withTimeout(Duration limit) {
    if (limit.isNegative() || limit.isZero()) {
      throw new IllegalArgumentException("timeout must be positive");
    }
    var copy = new ChatRequest(this);
    copy.timeout = limit;
    return copy;
  }

  /// The conversation, oldest first.
  public List<Message> messages() {
    return messages;
  }

  /// The tools that the model may call.
  public List<ToolSpec> tools() {
    return tools;
  }

  /// The form of the answer.
  public ResponseFormat format() {
    return format;
  }

  /// Set, or the vendor's default.
  public Optional<Double> temperature() {
    return Optional.ofNullable(temperature);
  }

  /// Set, or the vendor's default.
  public Optional<Integer> maxTokens() {
    return Optional.ofNullable(maxTokens);
  }

  /// Set, or random.
  public Optional<Long> seed() {
    return Optional.ofNullable(seed);
  }

  /// How long the whole call may take.
  public Duration timeout() {
    return timeout;
  }
}
