package dev.superstep.catalog;

import dev.superstep.catalog.PriceResult.Known;
import dev.superstep.catalog.PriceResult.Unpriced;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/// The prices of a model's tokens over time. Immutable.
///
/// ```java
/// Pricing.perMillion("EUR", "1.25", "10").cachedInput("0.125")
/// ```
///
/// @param currency an ISO 4217 code such as `USD`
/// @param periods in ascending order; of those that hold the last counts, and the first if none
///   does
/// @param besides what the vendor charges beside tokens, which no [#cost] contains
public record Pricing(String currency, List<PricePeriod> periods, Set<String> besides) {
  public Pricing {
    periods = List.copyOf(periods);
    besides = Collections.unmodifiableSet(new TreeSet<>(besides));
    if (periods.isEmpty()) throw new IllegalArgumentException("periods must not be empty");
  }

  /// A price for input and a price for output, each for a million tokens.
  public static Pricing perMillion(String currency, String input, String output) {
    var rates = new Rates(some(input), Optional.empty(), Optional.empty(), some(output));
    return new Pricing(currency, List.of(PricePeriod.always(rates)), Set.of());
  }

  /// Nothing, said by somebody who knows.
  public static Pricing free(String currency) {
    return perMillion(currency, "0", "0");
  }

  /// Returns a copy with a price for input that is read from a cache.
  public Pricing cachedInput(String perMillion) {
    return mapped(r -> new Rates(r.input(), some(perMillion), r.cacheWrite(), r.output()));
  }

  /// Returns a copy with a price for input that is written to a cache.
  public Pricing cacheWrite(String perMillion) {
    return mapped(r -> new Rates(r.input(), r.cachedInput(), some(perMillion), r.output()));
  }

  /// The prices at a time.
  public Rates at(Instant time) {
    var now = periods.getFirst();
    for (var period : periods) if (period.holds(time)) now = period;
    return now.rates();
  }

  /// The cost of a call. Ask for each call by itself: the price may depend on the length of its
  /// prompt and on its time.
  public PriceResult cost(Tokens tokens, Instant at) {
    var rates = at(at);
    boolean needsInput = tokens.plainInput() > 0;
    var cached = rates.cachedInput().or(rates::input);
    var write = rates.cacheWrite().or(rates::input);
    if (needsInput && rates.input().isEmpty()) return unpriced("input");
    if (tokens.cachedInput() > 0 && cached.isEmpty()) return unpriced("cached input");
    if (tokens.cacheWrite() > 0 && write.isEmpty()) return unpriced("input written to a cache");
    if (tokens.output() > 0 && rates.output().isEmpty()) return unpriced("output");
    long prompt = tokens.input();
    var sum =
        cost(rates.input(), tokens.plainInput(), prompt)
            .add(cost(cached, tokens.cachedInput(), prompt))
            .add(cost(write, tokens.cacheWrite(), prompt))
            .add(cost(rates.output(), tokens.output(), prompt));
    return new Known(new Cost(sum, currency));
  }

  private static BigDecimal cost(Optional<Rate> rate, long tokens, long prompt) {
    return rate.map(known -> known.cost(tokens, prompt)).orElse(BigDecimal.ZERO);
  }

  private static PriceResult unpriced(String what) {
    return new Unpriced("The catalogue has no price for " + what + " of this model.");
  }

  private Pricing mapped(UnaryOperator<Rates> change) {
    var changed =
        periods.stream()
            .map(p -> new PricePeriod(p.from(), p.daily(), change.apply(p.rates())))
            .toList();
    return new Pricing(currency, changed, besides);
  }

  private static Optional<Rate> some(String price) {
    return Optional.of(Rate.of(price));
  }
}
