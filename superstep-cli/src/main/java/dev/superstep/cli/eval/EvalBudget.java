package dev.superstep.cli.eval;

import dev.superstep.budget.Budget;
import dev.superstep.budget.Prices;
import dev.superstep.cli.host.UsageError;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Pattern;

/// Reads a budget as it is typed: `500 calls`, `200000 tokens`, `0.50 USD`.
final class EvalBudget {
  private static final Pattern FORM =
      Pattern.compile("\\s*(\\d{1,15}(?:\\.\\d{1,6})?)\\s*([A-Za-z]+)\\s*");

  private EvalBudget() {}

  /// @throws UsageError if it is none
  static Budget of(String typed, Prices prices) {
    var parts = FORM.matcher(typed);
    if (!parts.matches()) throw wrong(typed);
    var number = new BigDecimal(parts.group(1));
    var unit = parts.group(2).toLowerCase(Locale.ROOT);
    try {
      return switch (unit) {
        case "call", "calls" -> Budget.unlimited().calls(number.longValueExact());
        case "token", "tokens" -> Budget.unlimited().totalTokens(number.longValueExact());
        case "usd" -> Budget.unlimited().money(number.toPlainString(), "USD", prices);
        default -> throw wrong(typed);
      };
    } catch (ArithmeticException _) {
      throw wrong(typed);
    }
  }

  private static UsageError wrong(String typed) {
    return new UsageError(
        "usage",
        "--budget must be a number with its unit, such as `500 calls`, `200000 tokens` or"
            + " `0.50 USD`, was `"
            + typed
            + "`.");
  }
}
