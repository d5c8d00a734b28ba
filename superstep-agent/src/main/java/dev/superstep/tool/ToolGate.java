package dev.superstep.tool;

import dev.superstep.message.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The one place where it is decided whether a tool may be called: twice for each, before the model
/// sees it and before it runs. All rules are asked, and the strictest verdict holds, so a rule that
/// is added can only narrow what is allowed. Immutable.
public final class ToolGate {
  private static final ToolGate SANDBOXED = new ToolGate(List.of(ToolGate::approval));
  private static final ToolGate OPEN = SANDBOXED.and(ToolGate::noSandbox);
  private final List<ToolRule> rules;

  private ToolGate(List<ToolRule> rules) {
    this.rules = List.copyOf(rules);
  }

  /// Lets all pass but what a tool's own policy says: those that need approval need it, and those
  /// that need a sandbox are refused.
  public static ToolGate open() {
    return OPEN;
  }

  /// A gate like [#open] for tools that run in a sandbox, so that those that need it may run.
  public static ToolGate sandboxed() {
    return SANDBOXED;
  }

  /// Refuses tools that nobody has classified.
  public static ToolGate strict() {
    return OPEN.and((tool, _) ->
        tool.policy().isClassified()
            ? GateDecision.allow()
            : new GateDecision.Deny(
                "The tool is not classified, and only classified ones may run."));
  }

  /// Returns a copy with another rule.
  public ToolGate and(ToolRule rule) {
    var more = new ArrayList<>(rules);
    more.add(rule);
    return new ToolGate(more);
  }

  /// The rules of both.
  public ToolGate and(ToolGate other) {
    var more = new ArrayList<>(rules);
    for (var rule : other.rules) if (!more.contains(rule)) more.add(rule);
    return new ToolGate(more);
  }

  /// Only these tools.
  public ToolGate only(String... names) {
    var allowed = Set.of(names);
    return and((tool, _) ->
        allowed.contains(tool.name())
            ? GateDecision.allow()
            : new GateDecision.Deny("It is not allowed here."));
  }

  /// Not these tools.
  public ToolGate without(String... names) {
    var denied = Set.of(names);
    return and((tool, _) ->
        denied.contains(tool.name())
            ? new GateDecision.Deny("It is not allowed here.")
            : GateDecision.allow());
  }

  /// These tools only after a person has approved the call.
  public ToolGate confirming(String... names) {
    var asked = Set.of(names);
    return and((tool, _) ->
        asked.contains(tool.name())
            ? new GateDecision.Confirm("Calls of this tool are approved by a person.")
            : GateDecision.allow());
  }

  /// Tools with any of these effects only after a person has approved the call.
  public ToolGate confirming(SideEffect... effects) {
    var asked = Set.of(effects);
    return and((tool, _) ->
        tool.policy().effects().stream().anyMatch(asked::contains)
            ? new GateDecision.Confirm("The tool may change something: " + tool.policy().effects())
            : GateDecision.allow());
  }

  /// Returns true if a model gets to see the tool.
  public boolean shows(Tool tool) {
    return !(judge(tool, Optional.empty()) instanceof GateDecision.Deny);
  }

  /// Returns true if each call of the tool needs the approval of a person, whatever its arguments.
  public boolean confirms(Tool tool) {
    return judge(tool, Optional.empty()) instanceof GateDecision.Confirm;
  }

  /// Decides on a call.
  public GateDecision judge(Tool tool, ToolCall call) {
    return judge(tool, Optional.of(call));
  }

  private GateDecision judge(Tool tool, Optional<ToolCall> call) {
    var strictest = GateDecision.allow();
    for (var rule : rules) strictest = strictest.and(rule.judge(tool, call));
    return strictest;
  }

  private static GateDecision noSandbox(Tool tool, Optional<ToolCall> call) {
    return tool.policy().needsSandbox()
        ? new GateDecision.Deny("The tool may only run in a sandbox, and there is none.")
        : GateDecision.allow();
  }

  private static GateDecision approval(Tool tool, Optional<ToolCall> call) {
    return tool.policy().needsApproval()
        ? new GateDecision.Confirm("Calls of this tool are approved by a person.")
        : GateDecision.allow();
  }

  @Override
  public String toString() {
    return this == OPEN ? "ToolGate[open]" : "ToolGate[" + rules.size() + " rules]";
  }
}
