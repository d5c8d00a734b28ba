package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import dev.superstep.node.Retry;
import dev.superstep.node.RetryHint;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The items of a [dev.superstep.graph.Parallel] did not do what its policy asks for. The first
/// failure is the cause; the others are suppressed exceptions, in the order of the items.
public final class ParallelFailed extends SuperstepException implements RetryHint {
  private final String node;
  private final Reason reason;
  private final int items;
  private final int succeeded;
  private final int failed;

  /// Why it counts as failed.
  public enum Reason {
    /// An item failed, and none may.
    ITEM_FAILED,
    /// So many failed that those needed cannot be had.
    TOO_FEW_SUCCEEDED,
    /// The time for all was over.
    OUT_OF_TIME
  }

  /// The progress of the items.
  ///
  /// @param needed how many must succeed, if the policy says so
  /// @param most the time for all, if it is limited
  public record Progress(int items, int succeeded, int needed, Optional<Duration> most) {}

  /// @param failures the cause first
  public ParallelFailed(String node, Reason reason, Progress at, List<Throwable> failures) {
    super(
        "graph.parallel-failed",
        message(node, reason, at, failures),
        failures.isEmpty() ? null : failures.getFirst());
    this.node = node;
    this.reason = reason;
    this.items = at.items();
    this.succeeded = at.succeeded();
    this.failed = failures.size();
    for (var other : failures.stream().skip(1).toList()) {
      // An exception cannot suppress itself, and items may throw one and the same.
      if (!other.equals(getCause())) addSuppressed(other);
    }
  }

  private static String message(String node, Reason reason, Progress at, List<Throwable> failures) {
    var where = " of " + at.items() + " items in node `" + node + "`";
    var first = failures.isEmpty() ? "" : " First failure: " + NodeFailed.why(failures.getFirst());
    return switch (reason) {
      case ITEM_FAILED ->
          ("One%s failed, and the others were stopped. Mend it, or use `collectAll()` if"
                  + " failures may be told as results.%s")
              .formatted(where, first);
      case TOO_FEW_SUCCEEDED ->
          at.succeeded()
              + where
              + " succeeded and "
              + failures.size()
              + " failed, but "
              + at.needed()
              + " must succeed. Mend those that failed, or ask for fewer."
              + first;
      case OUT_OF_TIME ->
          at.succeeded()
              + where
              + " were done when the "
              + at.most().orElse(Duration.ZERO)
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

  /// The number of items.
  public int items() {
    return items;
  }

  /// The number of items that succeeded.
  public int succeeded() {
    return succeeded;
  }

  /// The number of items that failed.
  public int failed() {
    return failed;
  }

  /// Returns whether another attempt may help with any of the failures.
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
