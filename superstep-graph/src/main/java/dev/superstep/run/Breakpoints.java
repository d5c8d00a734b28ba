package dev.superstep.run;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/// The places where a run stops by itself, so that somebody can look before it is resumed: it ends
/// as [Outcome.Stopped] with the reason [Outcome.Reason#PAUSED]. A resumed run does not stop at the
/// same place again. Nothing is asked; for a question see [dev.superstep.node.Question]. Immutable.
///
/// ```java
/// Breakpoints.none().before("publish").after("draft")
/// ```
public final class Breakpoints {
  private static final Breakpoints NONE = new Breakpoints(Set.of(), Set.of(), false);

  private final Set<String> before;
  private final Set<String> after;
  private final boolean everyStep;

  private Breakpoints(Set<String> before, Set<String> after, boolean everyStep) {
    this.before = before;
    this.after = after;
    this.everyStep = everyStep;
  }

  /// No breakpoints.
  public static Breakpoints none() {
    return NONE;
  }

  /// Breakpoints after each superstep that leaves something to run.
  public static Breakpoints everyStep() {
    return new Breakpoints(Set.of(), Set.of(), true);
  }

  /// Returns a copy that also stops before each superstep that would run one of these nodes.
  public Breakpoints before(String... nodes) {
    return new Breakpoints(with(before, nodes), after, everyStep);
  }

  /// Returns a copy that also stops after each superstep that ran one of these nodes, even the last
  /// one of the run.
  public Breakpoints after(String... nodes) {
    return new Breakpoints(before, with(after, nodes), everyStep);
  }

  /// At these places and at others.
  public Breakpoints and(Breakpoints other) {
    if (other.isEmpty()) return this;
    if (isEmpty()) return other;
    return new Breakpoints(
        with(before, other.before.toArray(String[]::new)),
        with(after, other.after.toArray(String[]::new)),
        everyStep || other.everyStep);
  }

  public boolean isEmpty() {
    return before.isEmpty() && after.isEmpty() && !everyStep;
  }

  public boolean isBefore(String node) {
    return before.contains(node);
  }

  public boolean isAfter(String node) {
    return after.contains(node);
  }

  public boolean isEveryStep() {
    return everyStep;
  }

  /// All nodes that are named.
  public Set<String> nodes() {
    if (before.isEmpty() && after.isEmpty()) return Set.of();
    return with(before, after.toArray(String[]::new));
  }

  private static Set<String> with(Set<String> some, String... more) {
    var all = new LinkedHashSet<>(some);
    all.addAll(Arrays.asList(more));
    return all;
  }

  @Override
  public String toString() {
    return everyStep
        ? "Breakpoints[every step]"
        : "Breakpoints[before " + before + ", after " + after + "]";
  }
}
