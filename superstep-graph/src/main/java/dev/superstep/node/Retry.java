package dev.superstep.node;

import dev.superstep.json.SuperstepException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Predicate;

/// The retries of a failed node: how many, after which exceptions, and how long to wait before
/// each. Immutable.
///
/// The wait before attempt n + 1 is drawn evenly from zero to `base * factor^(n-1)`, at most `cap`;
/// the draw depends on the task alone, so a run can be repeated. An exception that is a [RetryHint]
/// may ask for a longer wait; if it asks for more than `cap`, the node is not tried again.
///
/// Exceptions of several kinds can have a rule each, with attempts and waits of its own. The first
/// rule that an exception meets applies:
///
/// ```java
/// Retry.of(8).on(RateLimited.class).or(Retry.of(3).on(IOException.class))
/// ```
///
/// @param attempts how often the node runs at most, the first time included
/// @param base the longest wait before the second attempt
/// @param factor by how much the longest wait grows from one attempt to the next
/// @param cap the longest wait of all
/// @param when which exceptions are worth another attempt; questions and cancellation never are
/// @param others the rules for exceptions that `when` does not hold for, in order; these have no
///   others of their own
public record Retry(
    int attempts,
    Duration base,
    double factor,
    Duration cap,
    Predicate<? super Throwable> when,
    List<Retry> others) {
  private static final int CAUSES_MAX = 16;
  private static final String NODE_FAILED = "graph.node-failed";

  public Retry {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1, was " + attempts);
    }
    if (base.isNegative()) {
      throw new IllegalArgumentException("base must not be negative, was " + base);
    }
    if (!(factor >= 1 && factor < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("factor must be finite and at least 1, was " + factor);
    }
    if (cap.compareTo(base) < 0) {
      throw new IllegalArgumentException("cap must be at least base " + base + ", was " + cap);
    }
    for (var other : others) {
      if (other.others.isEmpty()) continue;
      throw new IllegalArgumentException("others must not have others of their own, had " + other);
    }
    others = List.copyOf(others);
  }

  /// A single rule.
  public Retry(
      int attempts, Duration base, double factor, Duration cap, Predicate<? super Throwable> when) {
    this(attempts, base, factor, cap, when, List.of());
  }

  /// So many attempts, the first included; waits of up to 200 ms, then twice as long each time, at
  /// most 30 s; after every exception for which [#isWorthwhile] holds.
  public static Retry of(int attempts) {
    return new Retry(
        attempts, Duration.ofMillis(200), 2, Duration.ofSeconds(30), Retry::isWorthwhile);
  }

  /// A single attempt; for a node whose graph has another default.
  public static Retry never() {
    return of(1);
  }

  /// Returns a copy whose first rule has other waits.
  public Retry backoff(Duration base, double factor, Duration cap) {
    return new Retry(attempts, base, factor, cap, when, others);
  }

  /// Returns a copy whose first rule retries after other exceptions.
  public Retry when(Predicate<? super Throwable> when) {
    return new Retry(attempts, base, factor, cap, when, others);
  }

  /// Returns a copy whose first rule retries after exceptions of these types and no others, also if
  /// they are causes of what was thrown. That an exception [is worthwhile][#isWorthwhile] is not
  /// asked then.
  @SafeVarargs
  public final Retry on(Class<? extends Throwable>... types) {
    if (types.length == 0) throw new IllegalArgumentException("there must be at least one type");
    var all = new ArrayList<Class<? extends Throwable>>();
    for (var type : types) all.add(type);
    return when(error -> isOfOne(all, error));
  }

  private static boolean isOfOne(List<Class<? extends Throwable>> types, Throwable error) {
    var at = error;
    for (int depth = 0; at != null && depth < CAUSES_MAX; depth++, at = at.getCause()) {
      for (var type : types) if (type.isInstance(at)) return true;
    }
    return false;
  }

  /// Returns a copy that also follows these rules, after exceptions that no rule before is for.
  /// Each rule counts the failures that it applied to, and no others: a node may run as often as
  /// all rules allow together.
  public Retry or(Retry next) {
    var all = new ArrayList<>(others);
    all.addAll(next.rules());
    return new Retry(attempts, base, factor, cap, when, all);
  }

  /// All rules in their order, this one first, each without the others.
  public List<Retry> rules() {
    if (others.isEmpty()) return List.of(this);
    var all = new ArrayList<Retry>();
    all.add(new Retry(attempts, base, factor, cap, when));
    all.addAll(others);
    return List.copyOf(all);
  }

  /// Returns whether another attempt may help, as far as an exception alone can show. A [RetryHint]
  /// among it and its causes decides. Otherwise a retry is worthwhile, unless the exception is
  ///
  /// - an [Error], or an interruption,
  /// - an error of Superstep's own; for that of a node, its cause decides,
  /// - a mistake in the program: [IllegalArgumentException], [NullPointerException],
  ///   [ClassCastException], [IndexOutOfBoundsException], [ArithmeticException],
  ///   [NoSuchElementException], [UnsupportedOperationException], [ArrayStoreException],
  ///   [NegativeArraySizeException].
  public static boolean isWorthwhile(Throwable error) {
    var hint = hint(error);
    if (hint.isPresent()) return hint.get().isRetryable();
    return switch (error) {
      case SuperstepException e when e.code().equals(NODE_FAILED) && e.getCause() != null ->
          isWorthwhile(e.getCause());
      case SuperstepException _ -> false;
      case Error _, InterruptedException _ -> false;
      case IllegalArgumentException _, NullPointerException _, ClassCastException _ -> false;
      case IndexOutOfBoundsException _, ArithmeticException _, NoSuchElementException _ -> false;
      case UnsupportedOperationException _, ArrayStoreException _ -> false;
      case NegativeArraySizeException _ -> false;
      default -> true;
    };
  }

  public static Optional<RetryHint> hint(Throwable error) {
    var at = error;
    for (int depth = 0; at != null && depth < CAUSES_MAX; depth++, at = at.getCause()) {
      if (at instanceof RetryHint hint) return Optional.of(hint);
    }
    return Optional.empty();
  }

  /// Returns the wait after a failed attempt.
  ///
  /// @param failed the number of the attempt that failed, from 1
  /// @param draw from 0 to 1
  public Duration pause(int failed, double draw) {
    double longest = (double) base.toNanos() * Math.pow(factor, failed - 1.0);
    return Duration.ofNanos((long) (draw * Math.min(longest, (double) cap.toNanos())));
  }
}
