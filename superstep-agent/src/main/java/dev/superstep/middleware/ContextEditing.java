package dev.superstep.middleware;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Clears the results of old tool calls out of a prompt that has become too large. The calls stay,
/// so that the model knows what it did; the thread keeps all. Immutable; the `with` methods return
/// changed copies.
public final class ContextEditing implements Middleware {
  static final String CLEARED = "[cleared]";
  private static final String NO_ARGUMENTS = "{}";
  private static final int KEPT = 3;

  private final Trigger trigger;
  private final int keep;
  private final Set<String> excluded;
  private final boolean clearsArguments;

  private ContextEditing(Trigger trigger, int keep, Set<String> excluded, boolean clearsArguments) {
    this.trigger = trigger;
    this.keep = keep;
    this.excluded = Set.copyOf(excluded);
    this.clearsArguments = clearsArguments;
  }

  /// Clears all results but the newest three.
  public static ContextEditing at(Trigger trigger) {
    return new ContextEditing(trigger, KEPT, Set.of(), false);
  }

  /// Sets the number of newest results that stay.
  public ContextEditing withRecentResults(int results) {
    if (results < 0) throw new IllegalArgumentException("results must be 0 or more");
    return new ContextEditing(trigger, results, excluded, clearsArguments);
  }

  /// Tools whose results always stay.
  public ContextEditing withExcluded(String... tools) {
    return new ContextEditing(trigger, keep, Set.of(tools), clearsArguments);
  }

  /// Clears the arguments of the calls, too.
  public ContextEditing withArguments() {
    return new ContextEditing(trigger, keep, excluded, true);
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    if (!trigger.isMet(request, context)) return request;
    var before = request.messages();
    var old = old(before);
    var sources = new ArrayList<String>();
    var after = new ArrayList<Message>(before.size());
    for (int i = 0; i < before.size(); i++) {
      var message = before.get(i);
      var edited = i < request.prefix() ? message : edited(before, i, old);
      if (!edited.equals(message)) sources.add(MessageGroup.id(message));
      after.add(edited);
    }
    if (sources.isEmpty()) return request;
    var by = "clearing tool results but " + keep;
    return CompressionEvents.publish(request, request.withMessages(after), by, sources, context);
  }

  /// The places of the results that go. By place, since not all vendors give each call its own id.
  private Set<Integer> old(List<Message> messages) {
    var results = new ArrayList<Integer>();
    for (int i = 0; i < messages.size(); i++) {
      if (messages.get(i) instanceof ToolMessage answer && !excluded.contains(answer.tool())) {
        results.add(i);
      }
    }
    return new HashSet<>(results.subList(0, Math.max(0, results.size() - keep)));
  }

  private Message edited(List<Message> messages, int at, Set<Integer> old) {
    return switch (messages.get(at)) {
      case ToolMessage answer when old.contains(at) ->
          answer.text().length() <= CLEARED.length() ? answer : answer.withText(CLEARED);
      case AssistantMessage reply when clearsArguments -> cleared(reply, messages, at, old);
      case AssistantMessage reply -> reply;
      case ToolMessage answer -> answer;
      case SystemMessage told -> told;
      case UserMessage asked -> asked;
    };
  }

  private static Message cleared(
      AssistantMessage reply, List<Message> messages, int at, Set<Integer> old) {
    var gone = new HashSet<String>();
    for (int i = at + 1; i < messages.size(); i++) {
      if (!(messages.get(i) instanceof ToolMessage answer)) break;
      if (old.contains(i)) gone.add(answer.callId());
    }
    var calls =
        reply.calls().stream()
            .map(call -> gone.contains(call.id()) ? call.with(call.tool(), NO_ARGUMENTS) : call)
            .toList();
    return reply.withCalls(calls);
  }

  @Override
  public String toString() {
    return "ContextEditing[" + trigger + ", keeps " + keep + "]";
  }
}
