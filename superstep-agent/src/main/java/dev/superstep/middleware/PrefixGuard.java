package dev.superstep.middleware;

import dev.superstep.model.ChatRequest;
import dev.superstep.model.PromptLayout;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Watches over what vendors keep of a prompt: the instructions and tools that all turns begin with
/// must stay as they were, byte by byte, or each turn is paid for in full. The agent tells of a
/// change as `cache.layout_changed`; this says which parts have changed, and may fail the agent.
///
/// ```java
/// Agent.named("support").middleware(summaries, dates, PrefixGuard.failing())
/// ```
///
/// Add it after all that changes prompts. Immutable, safe for many threads.
public final class PrefixGuard implements Middleware {
  private static final Channel<Prefix, Prefix> CHANNEL = Channel.any("prompt-prefix", Prefix.class);

  private final boolean acrossRuns;
  private final Consumer<PrefixChanged> onChange;

  /// The stable prefix of a turn.
  record Prefix(String run, List<PromptLayout.Segment> segments) {}

  private PrefixGuard(boolean acrossRuns, Consumer<PrefixChanged> onChange) {
    this.acrossRuns = acrossRuns;
    this.onChange = onChange;
  }

  /// Fails the agent with [PrefixChanged].
  public static PrefixGuard failing() {
    return reporting(change -> {
      throw change;
    });
  }

  /// Tells somebody, such as a log or a test, and goes on.
  public static PrefixGuard reporting(Consumer<PrefixChanged> onChange) {
    return new PrefixGuard(false, onChange);
  }

  /// Compares also with the last turn of the run before, in the same thread.
  public PrefixGuard acrossRuns() {
    return new PrefixGuard(true, onChange);
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return List.of(CHANNEL);
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    var now = stable(request);
    var before = context.find(CHANNEL).filter(p -> acrossRuns || p.run().equals(context.run()));
    context.write(CHANNEL, new Prefix(context.run(), now));
    var changed = before.map(prefix -> changed(prefix.segments(), now)).orElse(List.of());
    if (!changed.isEmpty()) onChange.accept(new PrefixChanged(context.agent(), changed));
    return request;
  }

  /// Only the head of the request is looked at, so that long conversations cost nothing here.
  private static List<PromptLayout.Segment> stable(ChatRequest request) {
    var head = request.messages().subList(0, Math.max(1, request.prefix()));
    return PromptLayout.of(request.withMessages(head)).segments().stream()
        .filter(segment -> segment.role() == PromptLayout.Role.STABLE_PREFIX)
        .toList();
  }

  /// The ids of the parts that are new, gone or different, or at another place.
  private static List<String> changed(
      List<PromptLayout.Segment> before, List<PromptLayout.Segment> now) {
    var ids = new LinkedHashSet<String>();
    for (int i = 0; i < Math.max(before.size(), now.size()); i++) {
      var old = at(before, i);
      var other = at(now, i);
      if (old.equals(other)) continue;
      old.ifPresent(segment -> ids.add(segment.id()));
      other.ifPresent(segment -> ids.add(segment.id()));
    }
    return new ArrayList<>(ids);
  }

  private static Optional<PromptLayout.Segment> at(List<PromptLayout.Segment> segments, int place) {
    return place < segments.size() ? Optional.of(segments.get(place)) : Optional.empty();
  }

  @Override
  public String toString() {
    return "PrefixGuard[" + (acrossRuns ? "across runs]" : "within a run]");
  }
}
