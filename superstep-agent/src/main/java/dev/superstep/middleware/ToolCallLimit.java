package dev.superstep.middleware;

import dev.superstep.agent.run.StopReason;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.state.Channel;
import dev.superstep.tool.ToolResult;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Lets a model call its tools, or some of them, only so often: in a run, in a thread over all its
/// runs, or in one turn. Calls beyond that are answered by an error, and the model goes on; or the
/// agent ends. [dev.superstep.agent.AgentBuilder#toolCalls] holds beside it.
///
/// ```java
/// ToolCallLimit.perRun(5).only("search")
/// ```
///
/// Counted is what the model asks for, in the order in which it asks. Immutable, safe for many
/// threads; the methods return changed copies.
public final class ToolCallLimit implements Middleware {
  private final Span span;
  private final int most;
  private final Set<String> tools;
  private final Then then;

  private enum Span {
    TURN,
    RUN,
    THREAD
  }

  /// The reaction at the limit.
  private sealed interface Then {
    record Refuse() implements Then {}

    record End(Optional<String> answer) implements Then {}
  }

  private ToolCallLimit(Span span, int most, Set<String> tools, Then then) {
    this.span = span;
    this.most = most;
    this.tools = tools;
    this.then = then;
  }

  /// At most so many calls in one turn of the model.
  public static ToolCallLimit perTurn(int most) {
    return new ToolCallLimit(
        Span.TURN, SettingChecks.atLeast(1, "perTurn", most), Set.of(), new Then.Refuse());
  }

  /// At most so many calls in a run.
  public static ToolCallLimit perRun(int most) {
    return new ToolCallLimit(
        Span.RUN, SettingChecks.atLeast(0, "perRun", most), Set.of(), new Then.Refuse());
  }

  /// At most so many calls in a thread.
  public static ToolCallLimit perThread(int most) {
    return new ToolCallLimit(
        Span.THREAD, SettingChecks.atLeast(0, "perThread", most), Set.of(), new Then.Refuse());
  }

  /// Counts only calls of these tools, together.
  public ToolCallLimit only(String... counted) {
    if (counted.length == 0) throw new IllegalArgumentException("only must name a tool");
    return new ToolCallLimit(span, most, Set.of(counted), then);
  }

  /// Ends the agent with this answer. No call of the turn is run.
  public ToolCallLimit answering(String text) {
    var answer = Optional.of(SettingChecks.notBlank("answering", text));
    return new ToolCallLimit(span, most, tools, new Then.End(answer));
  }

  /// Ends the agent as its own limits do: [dev.superstep.agent.run.OnLimit].
  public ToolCallLimit failing() {
    return new ToolCallLimit(span, most, tools, new Then.End(Optional.empty()));
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return List.of(CallCounts.CHANNEL);
  }

  @Override
  public ChatReply afterModel(ChatReply reply, AgentContext context) {
    var counts = CallCounts.of(context).and(reply);
    context.write(CallCounts.CHANNEL, counts);
    var calls = counted(reply.message().calls());
    if (then instanceof Then.End(var answer) && !calls.isEmpty()) {
      if (made(counts, calls.size()) > most) {
        ModelCallLimit.end(StopReason.TOOL_CALL_LIMIT, answer, name(), context);
      }
    }
    return reply;
  }

  @Override
  public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
      throws Exception {
    return isRefused(call, context) ? ToolResult.error(refusal()) : next.call(call);
  }

  private boolean isRefused(ToolCall call, AgentContext context) {
    if (!(then instanceof Then.Refuse)) return false;
    var calls = counted(newest(context));
    int place = 0;
    while (place < calls.size() && !calls.get(place).id().equals(call.id())) place++;
    if (place == calls.size()) return false;
    // The counts have this turn in them already.
    int before = made(CallCounts.of(context), calls.size()) - calls.size();
    return before + place >= most;
  }

  private String refusal() {
    var which =
        tools.isEmpty()
            ? "tools"
            : "`" + String.join("`, `", tools.stream().sorted().toList()) + "`";
    var when =
        switch (span) {
          case TURN -> "at once";
          case RUN -> "for one task";
          case THREAD -> "in one conversation";
        };
    return "Not run: %s may be called %d times %s. Go on without.".formatted(which, most, when);
  }

  private int made(CallCounts counts, int inTurn) {
    return switch (span) {
      case TURN -> inTurn;
      case RUN -> counts.inRun(tools);
      case THREAD -> counts.inThread(tools);
    };
  }

  private List<ToolCall> counted(List<ToolCall> calls) {
    if (tools.isEmpty()) return calls;
    return calls.stream().filter(call -> tools.contains(call.tool())).toList();
  }

  /// The calls of the newest turn.
  private static List<ToolCall> newest(AgentContext context) {
    for (var message : context.conversation().reversed()) {
      if (message instanceof AssistantMessage reply) return reply.calls();
    }
    return List.of();
  }

  @Override
  public String toString() {
    return "ToolCallLimit["
        + most
        + " per "
        + span
        + (tools.isEmpty() ? "]" : ", of " + tools + "]");
  }
}
