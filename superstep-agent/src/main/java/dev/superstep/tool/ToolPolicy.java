package dev.superstep.tool;

import java.util.EnumSet;
import java.util.Set;

/// The known properties of a tool, by which gates decide whether it may be called. Immutable.
///
/// @param isClassified whether somebody has thought about it; a strict [ToolGate] refuses the
///   others
/// @param effects nothing if it only reads
/// @param isIdempotent whether a second call with the same arguments changes nothing more
/// @param needsApproval whether a person is asked before each call
/// @param needsSandbox whether it may only run where it is locked in
/// @param isBackgroundSafe whether it may run while nobody watches
public record ToolPolicy(
    boolean isClassified,
    Set<SideEffect> effects,
    boolean isIdempotent,
    boolean needsApproval,
    boolean needsSandbox,
    boolean isBackgroundSafe) {
  /// Nothing is known.
  public static final ToolPolicy UNCLASSIFIED =
      new ToolPolicy(false, Set.of(), false, false, false, false);

  public ToolPolicy {
    effects = Set.copyOf(effects);
  }

  /// A tool that only reads.
  public static ToolPolicy readOnly() {
    return new ToolPolicy(true, Set.of(), true, false, false, true);
  }

  /// A tool with these effects.
  public static ToolPolicy of(SideEffect first, SideEffect... more) {
    return new ToolPolicy(true, EnumSet.of(first, more), false, false, false, false);
  }

  /// Returns true if the tool changes nothing.
  public boolean isReadOnly() {
    return isClassified && effects.isEmpty();
  }

  /// Returns a copy that needs an approval of each call by a person.
  public ToolPolicy approved() {
    return new ToolPolicy(
        isClassified, effects, isIdempotent, true, needsSandbox, isBackgroundSafe);
  }

  /// Returns a copy for a tool where a second call with equal arguments changes nothing more.
  public ToolPolicy idempotent() {
    return new ToolPolicy(
        isClassified, effects, true, needsApproval, needsSandbox, isBackgroundSafe);
  }

  /// Returns a copy for a tool that may only run in a sandbox.
  public ToolPolicy sandboxed() {
    return new ToolPolicy(
        isClassified, effects, isIdempotent, needsApproval, true, isBackgroundSafe);
  }

  /// Returns a copy for a tool that may run while nobody watches.
  public ToolPolicy backgroundSafe() {
    return new ToolPolicy(isClassified, effects, isIdempotent, needsApproval, needsSandbox, true);
  }
}
