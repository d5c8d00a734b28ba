package dev.superstep.budget;

import dev.superstep.json.SuperstepException;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Objects;

/// A model was not asked, since the call might have gone over the budget of its run.
public final class BudgetExceeded extends SuperstepException {
  private final String who;
  private final Budget.Limit limit;
  private final BigDecimal used;
  private final BigDecimal most;

  /// @param least what the next call would take with the shortest answer
  BudgetExceeded(Budget.Limit limit, String who, Budget budget, Spend spent, Spend least) {
    super(
        "budget.exceeded",
        message(limit, who, budget, Budget.used(limit, spent), Budget.used(limit, least)));
    this.who = who;
    this.limit = limit;
    this.used = Budget.used(limit, spent);
    this.most = Objects.requireNonNull(budget.most(limit));
  }

  private static String message(
      Budget.Limit limit, String who, Budget budget, BigDecimal used, BigDecimal least) {
    var unit =
        limit == Budget.Limit.MONEY
            ? budget.currency()
            : limit.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return ("The budget of `%s` allows %s %s; %s are used, and the next call takes at least %s."
            + " Nothing was sent. Allow %s or more, with room for an answer, and resume.")
        .formatted(
            who,
            Objects.requireNonNull(budget.most(limit)).toPlainString(),
            unit,
            used.toPlainString(),
            least.toPlainString(),
            used.add(least).toPlainString());
  }

  /// Whose budget it is: the name of its [Ledger].
  public String who() {
    return who;
  }

  /// Which limit.
  public Budget.Limit limit() {
    return limit;
  }

  /// The amount used so far.
  public BigDecimal used() {
    return used;
  }

  /// The allowed amount.
  public BigDecimal most() {
    return most;
  }
}
