package dev.superstep.budget;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A limit on the spending of a run on models, together with everything that it starts. Nothing is
/// limited unless set. Immutable; each method returns a changed copy.
///
/// ```java
/// Budget.unlimited().totalTokens(200_000).money("0.50", "USD", prices)
/// ```
///
/// A call is refused before it is made if it might go over a limit: what the prompt has is
/// estimated, and the answer is limited to the rest of tokens and money; without a limit in the
/// request, it is limited to 8,192 tokens. A budget is not an invoice: what vendors count beyond
/// the estimate is counted afterwards.
public final class Budget {
  private static final double WARN_AT = 0.8;
  private static final Budget UNLIMITED = new Budget();

  private long calls = Long.MAX_VALUE;
  private long input = Long.MAX_VALUE;
  private long cachedInput = Long.MAX_VALUE;
  private long output = Long.MAX_VALUE;
  private long reasoning = Long.MAX_VALUE;
  private long total = Long.MAX_VALUE;
  private @Nullable BigDecimal money;
  private String currency = "";
  private Prices prices = Prices.unknown();
  private @Nullable HostedFees fees;
  private boolean unpricedFails = true;
  private double warnAt = WARN_AT;

  private Budget() {}

  /// No limits.
  public static Budget unlimited() {
    return UNLIMITED;
  }

  /// The most calls of models, failed attempts included.
  public Budget calls(long most) {
    var copy = copy();
    copy.calls = positive("calls", most);
    return copy;
  }

  /// The most tokens of prompts.
  public Budget inputTokens(long most) {
    var copy = copy();
    copy.input = positive("inputTokens", most);
    return copy;
  }

  /// The most tokens of prompts that come from a vendor's cache.
  public Budget cachedInputTokens(long most) {
    var copy = copy();
    copy.cachedInput = positive("cachedInputTokens", most);
    return copy;
  }

  /// The most tokens of answers, reasoning included.
  public Budget outputTokens(long most) {
    var copy = copy();
    copy.output = positive("outputTokens", most);
    return copy;
  }

  /// The most tokens of hidden reasoning.
  public Budget reasoningTokens(long most) {
    var copy = copy();
    copy.reasoning = positive("reasoningTokens", most);
    return copy;
  }

  /// The most tokens in all.
  public Budget totalTokens(long most) {
    var copy = copy();
    copy.total = positive("totalTokens", most);
    return copy;
  }

  /// The most money. A model without a known price is then refused, unless [#unpricedIsFree].
  ///
  /// @param currency an ISO code such as `USD`, in which the prices are
  public Budget money(String most, String currency, Prices prices) {
    var amount = new BigDecimal(most);
    if (amount.signum() < 0) throw new IllegalArgumentException("money must not be negative");
    var copy = copy();
    copy.money = amount;
    copy.currency = java.util.Currency.getInstance(currency).getCurrencyCode();
    copy.prices = prices;
    return copy;
  }

  /// Sets the fees for tools that run at the vendor, which count as money. Unless set, they are
  /// [HostedFees#standard] for a budget in US dollars, and none for one in another currency. They
  /// are known with a reply only, so a limit can be exceeded by the fees of one reply.
  ///
  /// @throws IllegalArgumentException if they are in another currency than the money, which is to
  ///   be set before
  public Budget hostedFees(HostedFees table) {
    if (!table.currency().equals(currency)) {
      throw new IllegalArgumentException(
          "the fees are in %s, and the money of the budget is in %s"
              .formatted(table.currency(), currency.isEmpty() ? "no currency" : currency));
    }
    var copy = copy();
    copy.fees = table;
    return copy;
  }

  /// Counts a model without a known price as free.
  public Budget unpricedIsFree() {
    var copy = copy();
    copy.unpricedFails = false;
    return copy;
  }

  /// Sets the share of a limit at which to warn, once for each limit; 0.8 unless set.
  public Budget warnAt(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("warnAt must be above 0 and at most 1, was " + share);
    }
    var copy = copy();
    copy.warnAt = share;
    return copy;
  }

  /// Something that is counted.
  public enum Limit {
    /// Calls of models.
    CALLS,
    /// Tokens of prompts.
    INPUT_TOKENS,
    /// Tokens of prompts from a cache.
    CACHED_INPUT_TOKENS,
    /// Tokens of answers.
    OUTPUT_TOKENS,
    /// Tokens of reasoning.
    REASONING_TOKENS,
    /// All tokens.
    TOTAL_TOKENS,
    /// Money.
    MONEY
  }

  /// The first limit that this is over, or empty if it is within all.
  public Optional<Limit> over(Spend spend) {
    return reached(spend, 1, false);
  }

  /// The first limit of which this has reached the share at which to warn.
  Optional<Limit> warned(Spend spend) {
    return reached(spend, warnAt, true);
  }

  private Optional<Limit> reached(Spend spend, double share, boolean inclusive) {
    for (var limit : Limit.values()) {
      var most = most(limit);
      if (most == null) continue;
      int compared = used(limit, spend).compareTo(most.multiply(BigDecimal.valueOf(share)));
      if (compared > 0 || (inclusive && compared == 0)) return Optional.of(limit);
    }
    return Optional.empty();
  }

  /// The limit, or null if there is none.
  @Nullable BigDecimal most(Limit limit) {
    return switch (limit) {
      case CALLS -> known(calls);
      case INPUT_TOKENS -> known(input);
      case CACHED_INPUT_TOKENS -> known(cachedInput);
      case OUTPUT_TOKENS -> known(output);
      case REASONING_TOKENS -> known(reasoning);
      case TOTAL_TOKENS -> known(total);
      case MONEY -> money;
    };
  }

  static BigDecimal used(Limit limit, Spend spend) {
    var usage = spend.usage();
    return switch (limit) {
      case CALLS -> BigDecimal.valueOf(spend.calls());
      case INPUT_TOKENS -> BigDecimal.valueOf(usage.input());
      case CACHED_INPUT_TOKENS -> BigDecimal.valueOf(usage.cachedInput());
      case OUTPUT_TOKENS -> BigDecimal.valueOf(usage.output());
      case REASONING_TOKENS -> BigDecimal.valueOf(usage.reasoning());
      case TOTAL_TOKENS -> BigDecimal.valueOf(usage.total());
      case MONEY -> spend.cost();
    };
  }

  /// The number of tokens that an answer may still have.
  long outputLeft(Spend spent, long input) {
    var usage = spent.usage();
    long left = output == Long.MAX_VALUE ? output : output - usage.output();
    // All of an answer may be reasoning.
    if (reasoning != Long.MAX_VALUE) left = Math.min(left, reasoning - usage.reasoning());
    if (total != Long.MAX_VALUE) left = Math.min(left, total - usage.total() - input);
    return Math.max(0, left);
  }

  /// Returns true if answers have to be limited to the rest of the budget.
  boolean holdsOutput() {
    boolean holdsTokens =
        output != Long.MAX_VALUE || reasoning != Long.MAX_VALUE || total != Long.MAX_VALUE;
    return holdsTokens || money != null;
  }

  boolean isUnlimited() {
    for (var limit : Limit.values()) if (most(limit) != null) return false;
    return true;
  }

  boolean hasMoney() {
    return money != null;
  }

  boolean unpricedFails() {
    return unpricedFails;
  }

  Prices prices() {
    return prices;
  }

  HostedFees fees() {
    if (fees != null && fees.currency().equals(currency)) return fees;
    return currency.equals(HostedFees.standard().currency())
        ? HostedFees.standard()
        : HostedFees.none(currency);
  }

  /// The currency of the money, or empty if money is not limited.
  public String currency() {
    return currency;
  }

  private static @Nullable BigDecimal known(long most) {
    return most == Long.MAX_VALUE ? null : BigDecimal.valueOf(most);
  }

  private static long positive(String name, long most) {
    if (most >= 0) return most;
    throw new IllegalArgumentException(name + " must not be negative, was " + most);
  }

  private Budget copy() {
    var copy = new Budget();
    copy.calls = calls;
    copy.input = input;
    copy.cachedInput = cachedInput;
    copy.output = output;
    copy.reasoning = reasoning;
    copy.total = total;
    copy.money = money;
    copy.currency = currency;
    copy.prices = prices;
    copy.fees = fees;
    copy.unpricedFails = unpricedFails;
    copy.warnAt = warnAt;
    return copy;
  }

  /// The limits that are set, such as `Budget[200000 total tokens, 0.50 USD]`.
  @Override
  public String toString() {
    var limits = new ArrayList<String>();
    add(limits, calls, " calls");
    add(limits, input, " input tokens");
    add(limits, cachedInput, " cached input tokens");
    add(limits, output, " output tokens");
    add(limits, reasoning, " reasoning tokens");
    add(limits, total, " total tokens");
    if (money != null) limits.add(money.toPlainString() + " " + currency);
    return limits.isEmpty() ? "Budget[unlimited]" : "Budget" + limits;
  }

  private static void add(List<String> limits, long most, String unit) {
    if (most != Long.MAX_VALUE) limits.add(most + unit);
  }
}
