package dev.superstep.budget;

import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Keeps the books of a budget: a call reserves the most that it may take, is made, and then
/// settles what it took. What is settled and reserved together never goes over the budget, nor over
/// those of the ledgers around it. A call for which there would be room if others under way took
/// less than they reserved waits for them.
///
/// Safe for many threads. The ledgers of a run tree share one lock.
public final class Ledger {
  private static final long OUTPUT_RESERVE = UsageEstimator.OUTPUT_RESERVE;

  private final String name;
  private Budget budget;
  private final @Nullable Ledger parent;
  private final ReentrantLock lock;
  private final Condition settled;
  private final Set<Budget.Limit> warned = EnumSet.noneOf(Budget.Limit.class);
  private final Map<String, Ledger> parts = new HashMap<>();
  private Spend spent = Spend.NONE;
  private Spend reserved = Spend.NONE;

  private Ledger(String name, Budget budget, @Nullable Ledger parent) {
    this.name = name;
    this.budget = budget;
    this.parent = parent;
    this.lock = parent == null ? new ReentrantLock() : parent.lock;
    this.settled = parent == null ? lock.newCondition() : parent.settled;
  }

  /// A ledger of its own.
  ///
  /// @param name who spends, for errors
  public static Ledger of(String name, Budget budget) {
    return new Ledger(name, budget, null);
  }

  /// A ledger within this one: what it spends is spent here as well.
  public Ledger within(String part, Budget own) {
    return new Ledger(part, own, this);
  }

  /// The ledger within this one of a run that may be resumed: the same one each time, so that what
  /// it has spent is not counted twice. It is kept as long as this one.
  ///
  /// @param own as it is now; it may have been raised since
  public Ledger within(String part, Budget own, String run) {
    lock.lock();
    try {
      var known = parts.computeIfAbsent(run, _ -> new Ledger(part, own, this));
      known.budget = own;
      return known;
    } finally {
      lock.unlock();
    }
  }

  /// A call that may be made.
  ///
  /// @param request its answer is limited to the rest, if the budget says so
  /// @param most what is reserved for it; nothing if nothing limits it
  public record Reserved(
      ModelRef model, ChatRequest request, Spend most, ModelProfile profile, TokenCounter counter) {
    UsageEstimator estimate() {
      return new UsageEstimator(request, profile, counter, !most.equals(Spend.NONE));
    }
  }

  /// Reserves the most that a call may take.
  ///
  /// @param profile what is known of the model
  /// @throws BudgetExceeded if there is no room for it
  /// @throws UnpricedModel if there is a budget in money, and no price
  /// @throws InterruptedException if the calling thread is interrupted while it waits
  public Reserved reserve(
      ModelRef model, ModelProfile profile, ChatRequest request, TokenCounter counter)
      throws InterruptedException {
    if (isUnlimited()) return new Reserved(model, request, Spend.NONE, profile, counter);
    long input = counter.count(request);
    lock.lockInterruptibly();
    try {
      while (true) {
        var held = capped(model, request, input, true);
        var most = most(model, input, held);
        if (fits(most, true)) {
          for (var at = this; at != null; at = at.parent) at.reserved = at.reserved.plus(most);
          return new Reserved(model, held, most, profile, counter);
        }
        var alone = most(model, input, capped(model, request, input, false));
        if (!fits(alone, false)) throw exceeded(alone, most(model, input, 1));
        settled.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Counts a call that was answered. Numbers of the vendor that cannot be are replaced by the most
  /// that can; none lowers what was spent.
  public Settled settle(Reserved call, ChatReply reply) {
    return settle(call, spendOf(call, reply));
  }

  /// Counts a call that failed: the prompt that was sent, and where nobody can say how far the
  /// answer had come, such as after a time-out, all of it.
  public Settled fail(Reserved call, Throwable error) {
    var usage = call.estimate().of(error);
    var cost = usage.equals(Usage.NONE) ? BigDecimal.ZERO : highestCost(call, usage);
    return settle(call, new Spend(1, usage, cost));
  }

  private BigDecimal highestCost(Reserved call, Usage usage) {
    try {
      return highestCost(call.model(), usage.input(), usage.output());
    } catch (UnpricedModel _) {
      return call.most().cost();
    }
  }

  private Settled settle(Reserved call, Spend took) {
    lock.lock();
    try {
      for (var at = this; at != null; at = at.parent) {
        at.reserved = at.reserved.minus(call.most());
        at.spent = at.spent.plus(took);
      }
      settled.signalAll();
      return new Settled(took, warnings());
    } finally {
      lock.unlock();
    }
  }

  /// The model that was asked has a price, but another one may have replied, which has none: then
  /// the call counts as what it could have cost. What was reserved must be given back in any case.
  private Spend spendOf(Reserved call, ChatReply reply) {
    if (reply.source() == ChatReply.Source.CACHED) return Spend.NONE;
    var usage = call.estimate().of(reply);
    boolean isTold = usage.equals(reply.usage());
    try {
      var cost =
          isTold ? cost(reply, usage) : highestCost(reply.model(), usage.input(), usage.output());
      // A price that is negative for some usage must not give anything back.
      return new Spend(1, usage, cost.max(BigDecimal.ZERO).add(fees(reply)));
    } catch (UnpricedModel _) {
      return new Spend(1, usage, call.most().cost().add(fees(reply)));
    }
  }

  /// The final spending of a call.
  ///
  /// @param warnings the limits that have now passed their warning share, each reported once
  public record Settled(Spend took, List<Budget.Limit> warnings) {}

  /// The spending of a call, by its reply alone.
  public Spend spendOf(ChatReply reply) {
    if (reply.source() == ChatReply.Source.CACHED) return Spend.NONE;
    var told = reply.usage();
    var usage =
        new Usage(
            Math.max(0, told.input()),
            Math.clamp(told.cachedInput(), 0, Math.max(0, told.input())),
            Math.max(0, told.cacheWrite()),
            Math.max(0, told.output()),
            Math.clamp(told.reasoning(), 0, Math.max(0, told.output())),
            told.estimated());
    return new Spend(1, usage, cost(reply, usage).max(BigDecimal.ZERO).add(fees(reply)));
  }

  /// Says what is known to have been spent at least, before this process began to count: here and
  /// in the ledgers around.
  public void atLeast(Spend before) {
    lock.lock();
    try {
      var missing = before.beyond(spent);
      if (missing.equals(Spend.NONE)) return;
      for (var at = this; at != null; at = at.parent) at.spent = at.spent.plus(missing);
    } finally {
      lock.unlock();
    }
  }

  /// Raises the spending as [#atLeast] does, by an amount that the outer ledgers already include.
  public void atLeastOfKnown(Spend before) {
    lock.lock();
    try {
      spent = spent.plus(before.beyond(spent));
    } finally {
      lock.unlock();
    }
  }

  /// Lowers the limit on calls of models to this, if it was higher.
  public void atMostCalls(long most) {
    narrow(Budget.Limit.CALLS, most);
  }

  /// Lowers the limit on all tokens to this, if it was higher.
  public void atMostTokens(long most) {
    narrow(Budget.Limit.TOTAL_TOKENS, most);
  }

  private void narrow(Budget.Limit limit, long most) {
    lock.lock();
    try {
      var now = budget.most(limit);
      if (now != null && now.compareTo(BigDecimal.valueOf(most)) <= 0) return;
      budget = limit == Budget.Limit.CALLS ? budget.calls(most) : budget.totalTokens(most);
    } finally {
      lock.unlock();
    }
  }

  /// The spending so far, with everything inside.
  public Spend spent() {
    lock.lock();
    try {
      return spent;
    } finally {
      lock.unlock();
    }
  }

  private boolean isUnlimited() {
    for (var at = this; at != null; at = at.parent) if (!at.budget.isUnlimited()) return false;
    return true;
  }

  /// The request with an answer no longer than what is left allows.
  private ChatRequest capped(
      ModelRef model, ChatRequest request, long input, boolean withReserved) {
    long left = Long.MAX_VALUE;
    boolean holds = false;
    boolean isMoney = false;
    for (var at = this; at != null; at = at.parent) {
      holds |= at.budget.holdsOutput();
      isMoney |= at.budget.hasMoney();
      var used = withReserved ? at.spent.plus(at.reserved) : at.spent;
      left = Math.min(left, at.budget.outputLeft(used, input));
    }
    if (!holds) return request;
    left = Math.min(left, request.maxTokens().map(Integer::longValue).orElse(OUTPUT_RESERVE));
    if (isMoney) left = affordable(model, input, left);
    return left == 0 ? request : request.withMaxTokens((int) left);
  }

  /// The longest answer, up to this, for which there would be money if calls under way took none; 0
  /// if there is none for any. So a call waits for others before it is cut short for them, since
  /// most take far less than they reserve. Longer answers do not cost less.
  private long affordable(ModelRef model, long input, long longest) {
    long most = longest;
    long least = 0;
    while (least < most) {
      long tried = most == longest ? most : least + (most - least + 1) / 2;
      if (hasMoneyFor(highestCost(model, input, tried))) least = tried;
      else most = tried - 1;
    }
    return least;
  }

  private boolean hasMoneyFor(BigDecimal cost) {
    for (var at = this; at != null; at = at.parent) {
      var most = at.budget.most(Budget.Limit.MONEY);
      if (most == null) continue;
      if (at.spent.cost().add(cost).compareTo(most) > 0) return false;
    }
    return true;
  }

  private Spend most(ModelRef model, long input, ChatRequest request) {
    return most(model, input, request.maxTokens().map(Integer::longValue).orElse(OUTPUT_RESERVE));
  }

  private Spend most(ModelRef model, long input, long output) {
    // All of the prompt may come from a cache, or none; all of the answer may be reasoning.
    var most = new Usage(input, input, 0, output, output, true);
    return new Spend(1, most, highestCost(model, input, output));
  }

  /// A prompt may come from a cache, or be written to it, which costs more with some vendors.
  private BigDecimal highestCost(ModelRef model, long input, long output) {
    var highest = BigDecimal.ZERO;
    for (long reasoning : new long[] {0, output}) {
      highest =
          highest
              .max(cost(model, new Usage(input, 0, 0, output, reasoning, true), false))
              .max(cost(model, new Usage(input, 0, input, output, reasoning, true), false))
              .max(cost(model, new Usage(input, input, 0, output, reasoning, true), false));
    }
    return highest;
  }

  /// The vendor's fees for tools that ran there, by the innermost budget in money.
  private BigDecimal fees(ChatReply reply) {
    for (var at = this; at != null; at = at.parent) {
      if (at.budget.hasMoney()) return at.budget.fees().of(reply.model(), reply.message());
    }
    return BigDecimal.ZERO;
  }

  private BigDecimal cost(ChatReply reply, Usage usage) {
    return cost(reply.model(), usage, reply.source() == ChatReply.Source.BATCHED);
  }

  private BigDecimal cost(ModelRef model, Usage usage, boolean isBatched) {
    for (var at = this; at != null; at = at.parent) {
      if (!at.budget.hasMoney()) continue;
      var prices = at.budget.prices();
      var cost = isBatched ? prices.batchCost(model, usage) : prices.cost(model, usage);
      if (cost.isPresent()) return cost.get();
      if (at.budget.unpricedFails()) throw new UnpricedModel(model);
    }
    return BigDecimal.ZERO;
  }

  private boolean fits(Spend most, boolean withReserved) {
    for (var at = this; at != null; at = at.parent) {
      var sum = withReserved ? at.spent.plus(at.reserved) : at.spent;
      if (at.budget.over(sum.plus(most)).isPresent()) return false;
    }
    return true;
  }

  /// Names the budget that does not even allow the shortest answer; an inner one may allow that.
  private BudgetExceeded exceeded(Spend most, Spend shortest) {
    var refused = fits(shortest, false) ? most : shortest;
    for (var at = this; at != null; at = at.parent) {
      var over = at.budget.over(at.spent.plus(refused));
      if (over.isEmpty()) continue;
      return new BudgetExceeded(over.get(), at.name, at.budget, at.spent, refused);
    }
    throw new AssertionError("some limit is exceeded");
  }

  private List<Budget.Limit> warnings() {
    var all = new ArrayList<Budget.Limit>();
    for (var at = this; at != null; at = at.parent) {
      var limit = at.budget.warned(at.spent);
      if (limit.isPresent() && at.warned.add(limit.get())) all.add(limit.get());
    }
    return all;
  }

  @Override
  public String toString() {
    return "Ledger[" + name + ", " + budget + "]";
  }
}
