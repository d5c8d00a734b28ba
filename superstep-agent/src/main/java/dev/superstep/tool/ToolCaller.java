package dev.superstep.tool;

import dev.superstep.call.CallContext;
import dev.superstep.call.LimitedCall;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.state.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/// Checks the tool calls of models, and runs those that are good. What batches and agents share.
///
/// Immutable, safe for many threads; the `with` methods return changed copies.
public final class ToolCaller {
  private static final String REFUSED = "The call was refused. ";
  private static final Duration EACH = Duration.ofMinutes(1);
  private static final int NAMES_MAX = 100;
  private static final int PROBLEMS_MAX = 20;
  private static final int PROBLEM_LENGTH_MAX = 1_000;

  private final Tools tools;
  private final ToolDependencies injected;
  private final Duration each;
  private final OnUnknownTool onUnknown;
  private final OnBadArguments onBadArguments;
  private final ToolGate gate;

  private ToolCaller(
      Tools tools,
      ToolDependencies injected,
      Duration each,
      OnUnknownTool onUnknown,
      OnBadArguments onBadArguments,
      ToolGate gate) {
    this.tools = tools;
    this.injected = injected;
    this.each = each;
    this.onUnknown = onUnknown;
    this.onBadArguments = onBadArguments;
    this.gate = gate;
  }

  /// A caller that tells the model of bad calls and gives each call a minute.
  public static ToolCaller of(Tools tools) {
    return new ToolCaller(
        tools,
        ToolDependencies.none(),
        EACH,
        OnUnknownTool.RETURN_ERROR,
        OnBadArguments.RETURN_ERROR,
        ToolGate.open());
  }

  /// Sets the values that tools find in their context.
  public ToolCaller withInjected(ToolDependencies values) {
    return new ToolCaller(tools, values, each, onUnknown, onBadArguments, gate);
  }

  /// The most that a call may take whose tool does not say; a minute unless set.
  public ToolCaller withTimeout(Duration time) {
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("time must be positive, was " + time);
    }
    return new ToolCaller(tools, injected, time, onUnknown, onBadArguments, gate);
  }

  /// Sets the reaction to a call of an unknown tool.
  public ToolCaller withOnUnknown(OnUnknownTool policy) {
    return new ToolCaller(tools, injected, each, policy, onBadArguments, gate);
  }

  /// Sets the reaction to arguments that break the schema.
  public ToolCaller withOnBadArguments(OnBadArguments policy) {
    return new ToolCaller(tools, injected, each, onUnknown, policy, gate);
  }

  /// Which calls may be made; [ToolGate#open] unless set. It holds for what is inside of tools that
  /// are graphs and agents, too.
  public ToolCaller withGate(ToolGate rules) {
    return new ToolCaller(tools, injected, each, onUnknown, onBadArguments, rules);
  }

  /// The tools.
  public Tools tools() {
    return tools;
  }

  /// A call after its check.
  public sealed interface Checked {
    /// The call, perhaps put right.
    ToolCall call();

    /// It may run.
    record Good(ToolCall call, Tool tool) implements Checked {}

    /// It may not.
    ///
    /// @param isUnknown whether there is no such tool; else its arguments are bad
    /// @param why for the model
    record Bad(ToolCall call, boolean isUnknown, String why) implements Checked {}
  }

  /// Checks whether a call can be run.
  ///
  /// @throws ToolError if it cannot, and the policy says so
  public Checked check(ToolCall call) {
    var tool = tools.find(call.tool());
    if (tool.isPresent()) return check(call, tool.get());
    var why = unknown(call.tool());
    return switch (onUnknown) {
      case OnUnknownTool.ReturnError _ -> new Checked.Bad(call, true, why);
      case OnUnknownTool.Fail _ -> throw new ToolError.UnknownTool(call, why);
      case OnUnknownTool.Rewrite(var other) ->
          tools
              .find(other)
              .map(found -> check(call.with(other, call.arguments()), found))
              .orElseGet(() -> new Checked.Bad(call, true, why));
    };
  }

  /// Checks whether a call can be run and the gate allows it without an approval.
  ///
  /// @throws ToolError if it cannot, and the policy says so
  public Checked admit(ToolCall call) {
    var checked = check(call);
    if (!(checked instanceof Checked.Good(var good, var tool))) return checked;
    return switch (gate.judge(tool, good)) {
      case GateDecision.Allow _ -> checked;
      case GateDecision.Deny(var reason) -> new Checked.Bad(good, false, REFUSED + reason);
      case GateDecision.Confirm(var reason) ->
          new Checked.Bad(good, false, REFUSED + "Nobody is here to approve it. " + reason);
    };
  }

  /// A call that was checked before.
  public Checked checked(ToolCall call) {
    var tool = tools.find(call.tool());
    return tool.isPresent()
        ? new Checked.Good(call, tool.get())
        : new Checked.Bad(call, true, unknown(call.tool()));
  }

  private Checked check(ToolCall call, Tool tool) {
    var problems = tool.problems(call.arguments());
    if (problems.isEmpty()) return new Checked.Good(call, tool);
    if (onBadArguments == OnBadArguments.NORMALIZE) {
      var other = ArgumentRepair.unwrapped(tool, call.arguments());
      if (other.isPresent()) return new Checked.Good(call.with(call.tool(), other.get()), tool);
    }
    var why =
        "The arguments are not valid:\n- "
            + String.join("\n- ", few(problems))
            + "\nCall the tool again with corrected arguments.";
    if (onBadArguments == OnBadArguments.FAIL) throw new ToolError.Deserialize(call, why);
    return new Checked.Bad(call, false, why);
  }

  /// The names in them are the model's own, and as many and as long as it likes.
  private static List<String> few(List<String> problems) {
    var few = new ArrayList<>(problems.stream().limit(PROBLEMS_MAX).map(ToolCaller::cut).toList());
    int more = problems.size() - few.size();
    if (more > 0) few.add("[%d problems more]".formatted(more));
    return few;
  }

  private static String cut(String problem) {
    if (problem.length() <= PROBLEM_LENGTH_MAX) return problem;
    int more = problem.length() - PROBLEM_LENGTH_MAX;
    return problem.substring(0, PROBLEM_LENGTH_MAX) + "... [%d characters more]".formatted(more);
  }

  private String unknown(String name) {
    var names = tools.names();
    return "There is no tool `%s`. %s"
        .formatted(
            ToolError.quote(name),
            names.isEmpty() ? "Answer without tools." : "Tools: " + listed(names) + ".");
  }

  private static String listed(List<String> names) {
    if (names.size() <= NAMES_MAX) return String.join(", ", names);
    var first = String.join(", ", names.subList(0, NAMES_MAX));
    return first + " and %d more".formatted(names.size() - NAMES_MAX);
  }

  /// Runs a call inside a node, unless the gate denies it. An exception of the tool becomes an
  /// error that the model sees.
  ///
  /// @param state as the tool sees it
  /// @param within the most that it may take, whatever its tool allows
  /// @param progress gets the progress of the tool, on its thread
  /// @throws InterruptedException if the node is cancelled; the call is then stopped
  public ToolResult call(
      Checked.Good good,
      NodeContext node,
      State state,
      Duration within,
      Consumer<ToolPiece> progress)
      throws InterruptedException {
    var denied = denied(good, node);
    if (denied.isPresent()) return denied.get();
    var guarded = RecordedResult.Guarded.of(good.tool(), good.call(), node);
    if (guarded.before().isPresent()) return guarded.before().get();
    var setting = setting(node, state, progress);
    try (var threads = new ToolThreads(within, each, setting, ToolListener.NONE)) {
      var run = new ToolThreads.Task.Run(good.call(), good.tool().within(gate));
      return guarded.made(threads.result(run));
    }
  }

  /// Returns whether a node may run a tool on its own thread, since another thread can go on in its
  /// place if the tool ignores its interruption.
  public static boolean isExpendable(NodeContext node) {
    return node instanceof CallContext own && own.isExpendable();
  }

  /// Runs a call on the thread of its node, which is expendable.
  ///
  /// @param rest does the rest of the node
  /// @throws InterruptedException if the node is cancelled; the call is then stopped
  public NodeResult call(
      Checked.Good good, NodeContext node, ToolContext.Surroundings around, Rest rest)
      throws Exception {
    var denied = denied(good, node);
    if (denied.isPresent()) return rest.after(denied.get(), node);
    var guarded = RecordedResult.Guarded.of(good.tool(), good.call(), node);
    if (guarded.before().isPresent()) return rest.after(guarded.before().get(), node);
    var tool = good.tool().within(gate);
    var time = ToolThreads.least(tool.timeout(each), around.within());
    var setting = setting(node, around.state(), around.progress());
    Rest after = (result, now) -> rest.after(guarded.made(result), now);
    return ((CallContext) node).call(new OnNodeThread(good.call(), tool, time, setting, after));
  }

  /// Runs a call that is made by a graph. It is interrupted when the time is over.
  ///
  /// @throws InterruptedException if the node is cancelled
  public static ToolResult within(Duration most, NodeContext node, Callable<ToolResult> call)
      throws InterruptedException {
    return ToolThreads.apart(most, node, call);
  }

  /// The most that a call of a tool may take whose work is a graph or an agent.
  ///
  /// @param inherited if the tool does not say
  public static Optional<Duration> timeout(Tool tool, Optional<Duration> inherited) {
    return tool.timeout(inherited);
  }

  private ToolContext.Setting setting(NodeContext node, State state, Consumer<ToolPiece> progress) {
    return new ToolContext.Setting(injected, Optional.of(node), Optional.of(state), progress);
  }

  private Optional<ToolResult> denied(Checked.Good good, NodeContext node)
      throws InterruptedException {
    // Middleware may have swallowed the interruption.
    if (node.isCancelled()) throw new InterruptedException("the run was cancelled");
    return gate.judge(good.tool(), good.call()) instanceof GateDecision.Deny(var reason)
        ? Optional.of(ToolResult.error(REFUSED + reason))
        : Optional.empty();
  }

  /// The rest of a node that made a call.
  @FunctionalInterface
  public interface Rest {
    /// Does the rest.
    ///
    /// @param context replaces the one of the node that made the call
    NodeResult after(ToolResult result, NodeContext context) throws Exception;
  }

  /// A call of a tool on the thread of its node.
  private record OnNodeThread(
      ToolCall call, Tool tool, Duration most, ToolContext.Setting setting, Rest rest)
      implements LimitedCall<ToolResult> {
    @Override
    public ToolResult make() {
      try {
        return tool.run(call.arguments(), new ToolContext(tool.name(), call.id(), most, setting));
      } catch (Exception e) {
        return ToolThreads.failed(e);
      }
    }

    @Override
    public ToolResult late() {
      return ToolThreads.late(most);
    }

    @Override
    public NodeResult then(ToolResult result, NodeContext context) throws Exception {
      return rest.after(result, context);
    }
  }

  /// The message that tells a model of a result.
  public static ToolMessage message(ToolCall call, ToolResult result) {
    return ToolThreads.message(call, result);
  }

  ToolGate gate() {
    return gate;
  }

  ToolDependencies injected() {
    return injected;
  }

  Duration each() {
    return each;
  }

  @Override
  public String toString() {
    return "ToolCaller" + tools.names();
  }
}
