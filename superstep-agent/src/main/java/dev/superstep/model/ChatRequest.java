package dev.superstep.model;

import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request to a model. Immutable; the `with` methods return changed copies.
public final class ChatRequest {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final Duration FIRST_BYTE = Duration.ofMinutes(1);
  private static final Duration IDLE = Duration.ofMinutes(2);

  private final List<Message> messages;
  private List<ToolSpec> tools = List.of();
  private List<HostedTool> hostedTools = List.of();
  private Set<String> deferredTools = Set.of();
  private ResponseFormat format = new ResponseFormat.Text();
  private @Nullable Double temperature;
  private @Nullable Integer maxTokens;
  private @Nullable Long seed;
  private @Nullable Double topP;
  private List<String> stop = List.of();
  private @Nullable Effort effort;
  private ToolChoice toolChoice = ToolChoice.AUTO;
  private @Nullable Json vendorOptions;
  private int prefix;
  private CacheHint cacheHint = CacheHint.NONE;
  private Set<Capability> needs = Set.of();
  private Map<String, String> labels = Map.of();
  private Duration timeout = TIMEOUT;
  private Duration firstByteTimeout = FIRST_BYTE;
  private Duration idleTimeout = IDLE;
  private @Nullable Duration wholeReplyTimeout;

  private ChatRequest(List<Message> messages) {
    if (messages.isEmpty()) {
      throw new IllegalArgumentException("messages must hold at least one message");
    }
    this.messages = messages;
  }

  private ChatRequest(ChatRequest from) {
    this(from, from.messages);
  }

  private ChatRequest(ChatRequest from, List<Message> messages) {
    this.messages = messages;
    this.tools = from.tools;
    this.format = from.format;
    this.temperature = from.temperature;
    this.maxTokens = from.maxTokens;
    this.seed = from.seed;
    this.topP = from.topP;
    this.stop = from.stop;
    this.effort = from.effort;
    this.toolChoice = from.toolChoice;
    this.vendorOptions = from.vendorOptions;
    this.prefix = from.prefix;
    this.cacheHint = from.cacheHint;
    this.needs = from.needs;
    this.labels = from.labels;
    this.timeout = from.timeout;
    this.firstByteTimeout = from.firstByteTimeout;
    this.idleTimeout = from.idleTimeout;
    this.wholeReplyTimeout = from.wholeReplyTimeout;
    this.hostedTools = from.hostedTools;
    this.deferredTools = from.deferredTools;
  }

  /// A request for free text, without tools. The value of an append or by-id channel is not copied,
  /// so that the cost does not grow with it.
  public static ChatRequest of(List<? extends Message> messages) {
    return new ChatRequest(immutable(messages));
  }

  /// A request for free text, without tools.
  public static ChatRequest of(Message... messages) {
    return new ChatRequest(List.of(messages));
  }

  /// A request for free text, without tools, by instructions and a conversation, which is copied
  /// unless it is the value of an append or by-id channel.
  public static ChatRequest of(SystemMessage instructions, List<Message> conversation) {
    return of(List.of(instructions), conversation);
  }

  /// A request for free text, without tools, by what comes before each conversation, such as
  /// instructions and examples, and a conversation, which is copied unless it is the value of an
  /// append or by-id channel.
  public static ChatRequest of(List<? extends Message> leading, List<Message> conversation) {
    if (leading.isEmpty()) return of(conversation);
    var all = new InstructedConversation(List.copyOf(leading), immutable(conversation));
    return new ChatRequest(all);
  }

  @SuppressWarnings("unchecked") // what cannot change is only read
  private static List<Message> immutable(List<? extends Message> messages) {
    return Channel.isImmutable(messages)
        ? (List<Message>) messages
        : List.<Message>copyOf(messages);
  }

  /// Returns a copy with another conversation. The stable prefix stays as long as it was, as far as
  /// there are messages.
  public ChatRequest withMessages(List<? extends Message> others) {
    if (others.isEmpty()) {
      throw new IllegalArgumentException("messages must hold at least one message");
    }
    var copy = new ChatRequest(this, List.copyOf(others));
    copy.prefix = Math.min(prefix, others.size());
    return copy;
  }

  /// Says that the first messages, and the tools and the form of the answer with them, will be the
  /// same in the requests to come, and how long the vendor should keep them. None are unless set.
  ///
  /// @see PromptLayout
  public ChatRequest withPrefix(int leading, CacheHint hint) {
    if (leading < 0 || leading > messages.size()) {
      throw new IllegalArgumentException(
          "prefix must be from 0 to %d, was %d".formatted(messages.size(), leading));
    }
    var copy = new ChatRequest(this);
    copy.prefix = leading;
    copy.cacheHint = hint;
    return copy;
  }

  /// The tools that the model may call.
  public ChatRequest withTools(List<ToolSpec> specs) {
    var copy = new ChatRequest(this);
    copy.tools = List.copyOf(specs);
    return copy;
  }

  /// Names those of [#tools] whose definitions the vendor keeps from the model until its search
  /// finds them: [dev.superstep.tool.search.VendorToolSearch]. A protocol that has no such search
  /// refuses the request. A name that no tool has is ignored.
  public ChatRequest withDeferredTools(Set<String> names) {
    var copy = new ChatRequest(this);
    copy.deferredTools = Set.copyOf(names);
    return copy;
  }

  /// Tools that run at the vendor. Each is sent to models of its own vendor only, so that a request
  /// may name tools of several. A protocol that has none refuses the request.
  public ChatRequest withHostedTools(HostedTool... tools) {
    var copy = new ChatRequest(this);
    copy.hostedTools = List.of(tools);
    return copy;
  }

  /// The form of the answer; text unless set.
  public ChatRequest withFormat(ResponseFormat responseFormat) {
    var copy = new ChatRequest(this);
    copy.format = responseFormat;
    return copy;
  }

  /// Sets how far the model may stray from the likeliest token; 0 is greedy. The vendor's default
  /// unless set.
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

  /// The share of likely tokens that the model chooses from, above 0 up to 1. The vendor's default
  /// unless set.
  public ChatRequest withTopP(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("topP must be above 0 and at most 1, was " + share);
    }
    var copy = new ChatRequest(this);
    copy.topP = share;
    return copy;
  }

  /// Texts at which the model stops; they are not part of its answer.
  public ChatRequest withStop(String... texts) {
    for (var text : texts) {
      if (text.isEmpty()) throw new IllegalArgumentException("stop must not hold an empty text");
    }
    var copy = new ChatRequest(this);
    copy.stop = List.of(texts);
    return copy;
  }

  /// Sets how much the model thinks first. The vendor's default unless set.
  public ChatRequest withEffort(Effort much) {
    var copy = new ChatRequest(this);
    copy.effort = much;
    return copy;
  }

  /// Sets the choice of tools; unless set, the model decides.
  public ChatRequest withToolChoice(ToolChoice choice) {
    var copy = new ChatRequest(this);
    copy.toolChoice = choice;
    return copy;
  }

  /// Further fields of the vendor's own protocol, as an object that is laid over the request. For
  /// what has no method here; fields that have one are refused.
  public ChatRequest withVendorOptions(Json object) {
    var copy = new ChatRequest(this);
    copy.vendorOptions = object;
    return copy;
  }

  /// Sets the capabilities that the model must be known to have. A choice among several models
  /// respects them.
  public ChatRequest withNeeds(Capability... capabilities) {
    var copy = new ChatRequest(this);
    copy.needs = Set.of(capabilities);
    return copy;
  }

  /// A label for events and traces; never sent.
  public ChatRequest withLabel(String name, String value) {
    var more = new LinkedHashMap<>(labels);
    more.put(name, value);
    var copy = new ChatRequest(this);
    copy.labels = Collections.unmodifiableMap(more);
    return copy;
  }

  /// Limits the whole call, from the moment when the model works on it; five minutes unless set. In
  /// an agent that is the time of all attempts together: [dev.superstep.middleware.Retrying].
  /// Waiting for a turn at a model that takes one call at a time does not count.
  public ChatRequest withTimeout(Duration limit) {
    var copy = new ChatRequest(this);
    copy.timeout = positive("timeout", limit);
    return copy;
  }

  /// Limits the wait for the beginning of a reply that is streamed; a minute unless set. For one
  /// that is not, see [#withWholeReplyTimeout]. For models behind HTTP.
  public ChatRequest withFirstByteTimeout(Duration limit) {
    var copy = new ChatRequest(this);
    copy.firstByteTimeout = positive("firstByteTimeout", limit);
    return copy;
  }

  /// Limits the wait for a reply that is not streamed, which begins when it is complete; as long as
  /// the whole call may take unless set. Vendors send nothing while a model thinks, for minutes if
  /// it reasons, so only the caller knows how long is too long. Set it for models that answer soon,
  /// so that a mute server is asked again sooner. For models behind HTTP.
  public ChatRequest withWholeReplyTimeout(Duration limit) {
    var copy = new ChatRequest(this);
    copy.wholeReplyTimeout = positive("wholeReplyTimeout", limit);
    return copy;
  }

  /// Limits the silence within a reply that has begun; two minutes unless set. For models behind
  /// HTTP.
  public ChatRequest withIdleTimeout(Duration limit) {
    var copy = new ChatRequest(this);
    copy.idleTimeout = positive("idleTimeout", limit);
    return copy;
  }

  private static Duration positive(String name, Duration limit) {
    if (limit.isPositive()) return limit;
    throw new IllegalArgumentException(name + " must be positive");
  }

  /// The conversation, oldest first.
  public List<Message> messages() {
    return messages;
  }

  /// The tools that the model may call.
  public List<ToolSpec> tools() {
    return tools;
  }

  /// The names of tools whose definitions the vendor keeps from the model until they are found.
  public Set<String> deferredTools() {
    return deferredTools;
  }

  /// Returns true if the vendor keeps the definition of a tool from the model until it is found.
  public boolean isDeferred(ToolSpec tool) {
    return deferredTools.contains(tool.name());
  }

  /// The tools that run at vendors, of all vendors.
  public List<HostedTool> hostedTools() {
    return hostedTools;
  }

  /// The tools that run at this vendor.
  public List<HostedTool> hostedTools(String vendor) {
    return hostedTools.stream().filter(tool -> tool.vendor().equals(vendor)).toList();
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

  /// Set, or the vendor's default.
  public Optional<Double> topP() {
    return Optional.ofNullable(topP);
  }

  /// Where the model stops.
  public List<String> stop() {
    return stop;
  }

  /// Set, or the vendor's default.
  public Optional<Effort> effort() {
    return Optional.ofNullable(effort);
  }

  /// The choice of tools.
  public ToolChoice toolChoice() {
    return toolChoice;
  }

  /// Further fields of the vendor's protocol.
  public Optional<Json> vendorOptions() {
    return Optional.ofNullable(vendorOptions);
  }

  /// The number of first messages that stay equal from turn to turn.
  public int prefix() {
    return prefix;
  }

  /// The time for which the vendor should cache them.
  public CacheHint cacheHint() {
    return cacheHint;
  }

  /// The capabilities that the model must be known to have.
  public Set<Capability> needs() {
    return needs;
  }

  /// For events and traces.
  public Map<String, String> labels() {
    return labels;
  }

  /// The time limit of the whole call.
  public Duration timeout() {
    return timeout;
  }

  /// The time limit until a streamed reply begins.
  public Duration firstByteTimeout() {
    return firstByteTimeout;
  }

  /// The time limit until a reply begins that is not streamed.
  public Duration wholeReplyTimeout() {
    return wholeReplyTimeout == null ? timeout : wholeReplyTimeout;
  }

  /// The time limit of a silence within a reply.
  public Duration idleTimeout() {
    return idleTimeout;
  }

  /// Counts, for logs; nothing that is said.
  @Override
  public String toString() {
    return "ChatRequest[%d messages, %d tools, %s]"
        .formatted(
            messages.size(),
            tools.size(),
            maxTokens == null ? "no maxTokens" : "maxTokens " + maxTokens);
  }
}
