package dev.superstep.catalog;

import java.math.BigDecimal;
import java.util.Currency;

/// An amount of money, exact. Amounts of several currencies are never added. Immutable.
///
/// @param currency an ISO 4217 code such as `USD`
public record Cost(BigDecimal amount, String currency) {
  public Cost {
    Currency.getInstance(currency); // refuses what is no code
    amount = amount.stripTrailingZeros();
    if (amount.scale() < 0) amount = amount.setScale(0);
  }

  /// An amount as people write it.
  public static Cost of(String amount, String currency) {
    return new Cost(new BigDecimal(amount), currency);
  }

  /// No money.
  public static Cost zero(String currency) {
    return new Cost(BigDecimal.ZERO, currency);
  }

  /// Both together.
  ///
  /// @throws MixedCurrencies if they are not of one currency
  public Cost plus(Cost other) {
    if (!currency.equals(other.currency)) throw new MixedCurrencies(this, other);
    return new Cost(amount.add(other.amount), currency);
  }

  @Override
  public String toString() {
    return amount.toPlainString() + " " + currency;
  }
}
