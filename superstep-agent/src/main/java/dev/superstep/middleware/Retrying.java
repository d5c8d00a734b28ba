package dev.superstep.middleware;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Asks a model again that failed in a way that may pass: too many requests, overload, a time-out,
/// a broken connection or answer. Never after a refused key or request, a budget that is used up,
/// or a cancel. Waits up to 200 ms before the second attempt, twice as long before each further
/// one, 30 s at most, drawn from the task so that a run can be repeated; longer if the vendor asks
/// for it. Each attempt counts for the budget, and all but the first are reported as
/// `retry.scheduled`.
///
/// The timeout of the request, five minutes unless set, is for all attempts and waits together, so
/// that a server which never answers costs that time once.
///
/// Every agent has [#standard] unless it is given another; `times(1)` switches retries off.
///
/// ```java
/// Agent.named("support").model(model).middleware(Retrying.times(2)).build();
/// ```
///
/// Immutable, safe for many threads; the methods return changed copies.
public final class Retrying implements Middleware {
  static final int ATTEMPTS = 4;
  static final Duration RETRY_AFTER_MAX = Duration.ofMinutes(2);
  static final Duration WAIT_MAX = Duration.ofMinutes(5);

  private final int attempts;
  private final Backoff waits;
  private final Most most;
  private final Predicate<ModelException> when;

  /// @param asked the longest wait that a vendor may ask for
  /// @param inAll the longest time of all waits of a turn together
  /// @param each the longest time of an attempt
  private record Most(Duration asked, Duration inAll, @Nullable Duration each) {}

  private Retrying(int attempts, Backoff waits, Most most, Predicate<ModelException> when) {
    this.attempts = attempts;
    this.waits = waits;
    this.most = most;
    this.when = when;
  }

  /// The most attempts in each turn, the first included.
  public int attempts() {
    return attempts;
  }

  /// Four attempts in each turn.
  public static Retrying standard() {
    return times(ATTEMPTS);
  }

  /// At most so many attempts in each turn, the first included.
  public static Retrying times(int attempts) {
    return new Retrying(
        SettingChecks.atLeast(1, "attempts", attempts),
        Backoff.STANDARD,
        new Most(RETRY_AFTER_MAX, WAIT_MAX, null),
        ModelException::isRetryable);
  }

  /// Returns a copy with other waits.
  ///
  /// @param base the longest wait before the second attempt
  /// @param factor by how much the longest wait grows from one attempt to the next
  /// @param cap the longest wait of all
  public Retrying backoff(Duration base, double factor, Duration cap) {
    return new Retrying(attempts, new Backoff(base, factor, cap), most, when);
  }

  /// Sets the longest wait that a vendor may ask for; if it asks for more, the turn fails at once.
  /// 120 s unless set.
  public Retrying retryAfterAtMost(Duration longest) {
    var time = SettingChecks.positive("retryAfterAtMost", longest);
    return new Retrying(attempts, waits, new Most(time, most.inAll(), most.each()), when);
  }

  /// Limits the sum of all waits of a turn; 5 minutes unless set.
  public Retrying waitingAtMost(Duration longest) {
    var time = SettingChecks.positive("waitingAtMost", longest);
    return new Retrying(attempts, waits, new Most(most.asked(), time, most.each()), when);
  }

  /// Limits each attempt, if that is shorter than what is left of the timeout of the request.
  public Retrying eachWithin(Duration longest) {
    var time = SettingChecks.positive("eachWithin", longest);
    return new Retrying(attempts, waits, new Most(most.asked(), most.inAll(), time), when);
  }

  /// Returns a copy that retries after other failures; unless set, after those that may pass.
  public Retrying when(Predicate<ModelException> worthwhile) {
    return new Retrying(attempts, waits, most, worthwhile);
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    // Not the clock of the run: a recorded run saves each time that is read from that.
    long start = System.nanoTime();
    var left = request.timeout();
    var waited = Duration.ZERO;
    for (int attempt = 1; ; attempt++) {
      try {
        return next.call(timed(request, left));
      } catch (ModelException e) {
        var pause = pause(e, attempt, context);
        if (pause.isEmpty()) throw e;
        waited = waited.plus(pause.get());
        if (waited.compareTo(most.inAll()) > 0) throw e;
        if (!left(request, start).minus(pause.get()).isPositive()) throw e;
        sleep(pause.get(), attempt + 1, e, context);
        left = left(request, start);
        if (!left.isPositive()) throw e;
      }
    }
  }

  @Override
  public boolean retriesModel() {
    return true;
  }

  /// The time of the request that is left for further attempts.
  private static Duration left(ChatRequest request, long start) {
    return request.timeout().minusNanos(System.nanoTime() - start);
  }

  private ChatRequest timed(ChatRequest request, Duration left) {
    var each = most.each();
    var within = each == null || each.compareTo(left) >= 0 ? left : each;
    return within.equals(request.timeout()) ? request : request.withTimeout(within);
  }

  /// The wait before the next attempt, or empty if there is none.
  private Optional<Duration> pause(ModelException error, int failed, AgentContext context) {
    if (failed >= attempts || !when.test(error)) return Optional.empty();
    var asked = error.retryAfter().orElse(Duration.ZERO);
    if (asked.compareTo(most.asked()) > 0) return Optional.empty();
    var drawn = waits.after(failed, "model", context);
    return Optional.of(asked.compareTo(drawn) > 0 ? asked : drawn);
  }

  private static void sleep(Duration pause, int next, ModelException error, AgentContext context)
      throws InterruptedException {
    var model = context.model().ref().url();
    context.emit(new AgentEvent.RetryScheduled(context.agent(), model, next, pause, error.code()));
    try {
      context.node().sleep(pause);
    } catch (InterruptedException e) {
      e.addSuppressed(error);
      throw e;
    }
  }

  @Override
  public String toString() {
    return "Retrying[" + attempts + " attempts]";
  }
}
