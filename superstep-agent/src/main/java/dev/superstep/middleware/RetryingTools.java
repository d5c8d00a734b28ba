package dev.superstep.middleware;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.message.ToolCall;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;

/// Calls a tool again whose call failed: of those that may be called twice, as their
/// [dev.superstep.tool.ToolPolicy] says, or of those that are named. Waits like [Retrying]. When
/// all attempts have failed, the model is shown the last error.
///
/// ```java
/// RetryingTools.times(3).only("search", "fetch_page")
/// ```
///
/// All attempts are within one task: a tool that uses steps of its node finds their keys used when
/// it is called again, so leave it out. Immutable, safe for many threads; the methods return
/// changed copies.
public final class RetryingTools implements Middleware {
  static final String FAILED = "tool.failed";

  private final int attempts;
  private final Backoff waits;
  private final Set<String> named;
  private final Predicate<ToolResult> when;
  private final boolean throwing;

  private RetryingTools(
      int attempts,
      Backoff waits,
      Set<String> named,
      Predicate<ToolResult> when,
      boolean throwing) {
    this.attempts = attempts;
    this.waits = waits;
    this.named = named;
    this.when = when;
    this.throwing = throwing;
  }

  /// At most so many attempts at each call, the first included, of tools that are idempotent.
  public static RetryingTools times(int attempts) {
    return new RetryingTools(
        SettingChecks.atLeast(1, "attempts", attempts),
        Backoff.STANDARD,
        Set.of(),
        ToolResult::error,
        false);
  }

  /// Returns a copy for these tools only, whatever their policies say.
  public RetryingTools only(String... tools) {
    if (tools.length == 0) throw new IllegalArgumentException("only must name a tool");
    return new RetryingTools(attempts, waits, Set.of(tools), when, throwing);
  }

  /// Returns a copy with other waits.
  ///
  /// @param base the longest wait before the second attempt
  /// @param factor by how much the longest wait grows from one attempt to the next
  /// @param cap the longest wait of all
  public RetryingTools backoff(Duration base, double factor, Duration cap) {
    return new RetryingTools(attempts, new Backoff(base, factor, cap), named, when, throwing);
  }

  /// Returns a copy that retries after other results; unless set, after errors.
  public RetryingTools when(Predicate<ToolResult> worthwhile) {
    return new RetryingTools(attempts, waits, named, worthwhile, throwing);
  }

  /// Returns a copy with which the agent fails by [ToolKeptFailing] when all attempts have failed.
  public RetryingTools throwing() {
    return new RetryingTools(attempts, waits, named, when, true);
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
      throws Exception {
    int most = mayRepeat(call, context) ? attempts : 1;
    for (int attempt = 1; ; attempt++) {
      var result = next.call(call);
      if (!when.test(result)) return result;
      if (attempt >= most) return last(call, result, attempt, most);
      var pause = waits.after(attempt, call.id(), context);
      context.emit(
          new AgentEvent.RetryScheduled(context.agent(), call.tool(), attempt + 1, pause, FAILED));
      context.node().sleep(pause);
    }
  }

  private ToolResult last(ToolCall call, ToolResult result, int attempt, int most) {
    if (throwing && most > 1) throw new ToolKeptFailing(call, attempt, result.text());
    return result;
  }

  private boolean mayRepeat(ToolCall call, AgentContext context) {
    if (!named.isEmpty()) return named.contains(call.tool());
    return context.tool(call.tool()).map(tool -> tool.policy().isIdempotent()).orElse(false);
  }

  @Override
  public String toString() {
    return "RetryingTools[" + attempts + " attempts]";
  }
}
