package dev.superstep.testkit.agent;

import dev.superstep.agent.run.StopReason;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractAssert;

/// Assertions on an agent's actions that do not depend on texts:
/// [AgentAssertions#assertThatTrajectory].
public final class TrajectoryAssert extends AbstractAssert<TrajectoryAssert, Trajectory> {
  TrajectoryAssert(Trajectory actual) {
    super(actual, TrajectoryAssert.class);
  }

  /// These calls and no others, in this order.
  public TrajectoryAssert callsExactly(ToolCallMatcher first, ToolCallMatcher... more) {
    isNotNull();
    var expected = all(first, more);
    var calls = actual.calls();
    for (int i = 0; i < Math.max(calls.size(), expected.size()); i++) {
      if (i == calls.size()) {
        fail("Call %d should be %s, but there is none:", i + 1, expected.get(i));
      }
      if (i == expected.size()) {
        fail("Call %d is one too many, %s:", i + 1, calls.get(i));
      }
      if (!expected.get(i).fits(calls.get(i))) {
        fail("Call %d should be %s, but is %s:", i + 1, expected.get(i), calls.get(i));
      }
    }
    return this;
  }

  /// Calls of these tools and no others, in this order.
  public TrajectoryAssert callsExactly(String first, String... more) {
    return callsExactly(ToolCallMatcher.call(first), named(more));
  }

  /// These calls and no others, in any order.
  public TrajectoryAssert callsInAnyOrder(ToolCallMatcher first, ToolCallMatcher... more) {
    isNotNull();
    var expected = all(first, more);
    var pairing = new Pairing(expected, actual.calls());
    if (!pairing.missing().isEmpty() || !pairing.left().isEmpty()) {
      fail("In any order, missing are %s, not expected are %s:", pairing.missing(), pairing.left());
    }
    return this;
  }

  /// Calls of these tools and no others, in any order.
  public TrajectoryAssert callsInAnyOrder(String first, String... more) {
    return callsInAnyOrder(ToolCallMatcher.call(first), named(more));
  }

  /// These calls in this order, perhaps with others between them.
  public TrajectoryAssert callsInOrder(ToolCallMatcher first, ToolCallMatcher... more) {
    isNotNull();
    int at = 0;
    var calls = actual.calls();
    for (var wanted : all(first, more)) {
      int from = at;
      while (at < calls.size() && !wanted.fits(calls.get(at))) at++;
      if (at == calls.size()) fail("There is no %s from call %d on:", wanted, from + 1);
      at++;
    }
    return this;
  }

  /// Calls of these tools in this order, perhaps with others between them.
  public TrajectoryAssert callsInOrder(String first, String... more) {
    return callsInOrder(ToolCallMatcher.call(first), named(more));
  }

  /// At least these calls, in any order.
  public TrajectoryAssert callsAtLeast(ToolCallMatcher first, ToolCallMatcher... more) {
    isNotNull();
    var pairing = new Pairing(all(first, more), actual.calls());
    if (!pairing.missing().isEmpty()) fail("Missing are %s:", pairing.missing());
    return this;
  }

  /// At least calls of these tools, in any order.
  public TrajectoryAssert callsAtLeast(String first, String... more) {
    return callsAtLeast(ToolCallMatcher.call(first), named(more));
  }

  /// No calls at all.
  public TrajectoryAssert callsNothing() {
    isNotNull();
    if (!actual.calls().isEmpty()) fail("There should be no calls:");
    return this;
  }

  /// No such call.
  public TrajectoryAssert neverCalls(ToolCallMatcher call) {
    isNotNull();
    int at = first(call);
    if (at >= 0) fail("Call %d should never be made, %s:", at + 1, actual.calls().get(at));
    return this;
  }

  /// No call of this tool.
  public TrajectoryAssert neverCalls(String tool) {
    return neverCalls(ToolCallMatcher.call(tool));
  }

  /// No such call before one of the other kind, which must be there if there is any of these.
  public TrajectoryAssert callsNoneBefore(ToolCallMatcher call, ToolCallMatcher before) {
    isNotNull();
    int at = first(call);
    if (at < 0) return this;
    int needed = first(before);
    if (needed < 0) fail("Call %d is %s, but there is no %s:", at + 1, call, before);
    if (needed >= at) fail("Call %d is %s, before the first %s:", at + 1, call, before);
    return this;
  }

  /// No call of a tool before one of the other, which must be there if there is any of these.
  public TrajectoryAssert callsNoneBefore(String tool, String before) {
    return callsNoneBefore(ToolCallMatcher.call(tool), ToolCallMatcher.call(before));
  }

  /// Verifies the number of calls of the model.
  public TrajectoryAssert hasTurns(int turns) {
    isNotNull();
    if (actual.turns() != turns) fail("There should be %d turns:", turns);
    return this;
  }

  /// Verifies that the model was called at most so often.
  public TrajectoryAssert hasTurnsAtMost(int turns) {
    isNotNull();
    if (actual.turns() > turns) fail("There should be at most %d turns:", turns);
    return this;
  }

  /// Why it is over.
  public TrajectoryAssert endedBy(StopReason reason) {
    isNotNull();
    var ended = actual.ended();
    if (ended.isEmpty()) fail("It should have ended by %s, but that is not told:", reason);
    else if (ended.get() != reason) fail("It should have ended by %s:", reason);
    return this;
  }

  private int first(ToolCallMatcher call) {
    for (int i = 0; i < actual.calls().size(); i++) if (call.fits(actual.calls().get(i))) return i;
    return -1;
  }

  private static List<ToolCallMatcher> all(ToolCallMatcher first, ToolCallMatcher... more) {
    return Stream.concat(Stream.of(first), Stream.of(more)).toList();
  }

  private static ToolCallMatcher[] named(String... tools) {
    return Stream.of(tools).map(ToolCallMatcher::call).toArray(ToolCallMatcher[]::new);
  }

  @SuppressWarnings("AnnotateFormatMethod") // formats are constants of this class
  private void fail(String what, Object... values) {
    failWithMessage("%s%n%s", what.formatted(values), actual.format());
  }

  /// Which calls are expected ones, each of at most one. As many as possible are paired: a call
  /// that fits several must not take the place of one that fits only there.
  private static final class Pairing {
    private final List<ToolCallMatcher> expected;
    private final List<Trajectory.Call> calls;
    private final int[] takenBy;

    Pairing(List<ToolCallMatcher> expected, List<Trajectory.Call> calls) {
      this.expected = expected;
      this.calls = calls;
      this.takenBy = new int[calls.size()];
      java.util.Arrays.fill(takenBy, -1);
      for (int i = 0; i < expected.size(); i++) pair(i, new boolean[calls.size()]);
    }

    /// By a chain in which each gives way to the one before.
    private boolean pair(int wanted, boolean[] seen) {
      for (int i = 0; i < calls.size(); i++) {
        if (seen[i] || !expected.get(wanted).fits(calls.get(i))) continue;
        seen[i] = true;
        if (takenBy[i] >= 0 && !pair(takenBy[i], seen)) continue;
        takenBy[i] = wanted;
        return true;
      }
      return false;
    }

    List<ToolCallMatcher> missing() {
      var missing = new ArrayList<ToolCallMatcher>();
      for (int i = 0; i < expected.size(); i++) {
        int wanted = i;
        boolean isTaken = java.util.Arrays.stream(takenBy).anyMatch(by -> by == wanted);
        if (!isTaken) missing.add(expected.get(i));
      }
      return missing;
    }

    List<Trajectory.Call> left() {
      var left = new ArrayList<Trajectory.Call>();
      for (int i = 0; i < calls.size(); i++) if (takenBy[i] < 0) left.add(calls.get(i));
      return left;
    }
  }
}
