package dev.superstep.budget;

import dev.superstep.json.SuperstepException;
import java.math.BigDecimal;
import java.util.Locale;

/// A model was not asked, since the call might have gone over the budget of its run.
public final class BudgetExceeded extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final Budget.Limit limit;
  private final BigDecimal used;
  private final BigDecimal most;

  BudgetExceeded(
      Budget.Limit limit, String who, BigDecimal used, BigDecimal next, BigDecimal most) {
    super(
        "budget.exceeded",
        "The budget of `%s` allows %s %s; %s are used, and the next call may take %s. Nothing was sent. Raise the budget and resume."
            .formatted(
                who,
                most.toPlainString(),
                limit.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                used.toPlainString(),
                next.toPlainString()),
        null);
    this.limit = limit;
    this.used = used;
    this.most = most;
  }

  /// Which limit.
  public Budget.Limit limit() {
    return limit;
  }

  /// What was used so far.
  public BigDecimal used() {
    return used;
  }

  /// What is allowed.
  public BigDecimal most() {
    return most;
  }
}
