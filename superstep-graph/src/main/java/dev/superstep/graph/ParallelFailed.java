package dev.superstep.graph;

import dev.superstep.json.SuperstepException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The items of a [Parallel] did not do what its policy asks for. The first failure is the cause;
/// the others are suppressed exceptions, in the order of the items.
public final class ParallelFailed extends SuperstepException implements RetryHint {
  private static final long serialVersionUID = 1L;
  private final String node;
  private final Reason reason;
  private final int items;
  private final int succeeded;
  private final int failed;

  /// Why it counts as failed.
  public enum Reason {
    /// One failed, and none may.
    ITEM_FAILED,
    /// So many failed that those needed cannot be had.
    TOO_FEW_SUCCEEDED,
    /// The time for all was over.
    OUT_OF_TIME
  }

  /// @param failures the cause first
  ParallelFailed(
      String node, Reason reason, ParallelPlan<?> plan, int succeeded, List<Throwable> failures) {
    super(
        "graph.parallel-failed",
        message(node, reason, plan, succeeded, failures),
        failures.isEmpty() ? null : failures.getFirst());
    this.node = node;
    this.reason = reason;
    this.items = plan.items().size();
    this.succeeded = succeeded;
    this.failed = failures.size();
    for (var other : failures.stream().skip(1).toList()) {
      // An exception cannot suppress itself, and items may throw one and the same.
      if (!other.equals(getCause())) addSuppressed(other);
    }
  }

  private static String message(
      String node, Reason reason, ParallelPlan<?> plan, int succeeded, List<Throwable> failures) {
    int items = plan.items().size();
    var where = " of " + items + " items in node `" + node + "`";
    var first = failures.isEmpty() ? "" : " First failure: " + NodeFailed.why(failures.getFirst());
    return switch (reason) {
      case ITEM_FAILED ->
          "One"
              + where
              + " failed, and the others were stopped. Mend it, or use `collectAll()` if failures"
              + " may be told as results."
              + first;
      case TOO_FEW_SUCCEEDED ->
          succeeded
              + where
              + " succeeded and "
              + failures.size()
              + " failed, but "
              + plan.quorum()
              + " must succeed. Mend those that failed, or ask for fewer."
              + first;
      case OUT_OF_TIME ->
          succeeded
              + where
              + " were done when the "
              + plan.totalTimeout()
              + " for all were over. Raise `totalTimeout`, allow more at once, or use"
              + " `bestEffort()` to take what there is.";
    };
  }

  /// The node.
  public String node() {
    return node;
  }

  /// Why it counts as failed.
  public Reason reason() {
    return reason;
  }

  /// How many items there were.
  public int items() {
    return items;
  }

  /// How many were done.
  public int succeeded() {
    return succeeded;
  }

  /// How many failed.
  public int failed() {
    return failed;
  }

  /// Whether another attempt may help with any of the failures.
  @Override
  public boolean isRetryable() {
    return reason == Reason.OUT_OF_TIME || failures().anyMatch(Retry::isWorthwhile);
  }

  /// The longest wait that a failure asks for.
  @Override
  public Optional<Duration> retryAfter() {
    return failures()
        .flatMap(e -> Retry.hint(e).stream())
        .flatMap(hint -> hint.retryAfter().stream())
        .max(Comparator.naturalOrder());
  }

  private Stream<Throwable> failures() {
    return Stream.concat(Stream.ofNullable(getCause()), Stream.of(getSuppressed()));
  }
}
