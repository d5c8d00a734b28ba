package dev.superstep.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.catalog.PriceResult.Known;
import dev.superstep.catalog.PriceResult.Unpriced;
import dev.superstep.json.Codec;
import java.time.Instant;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Money: exact, of one currency, and never made up.
@Tag("T52")
class CostTest {
  private static final Instant NOW = Instant.parse("2026-10-01T12:00:00Z");

  @Test
  void costs_are_exact_and_show_no_exponent() {
    var sum = Cost.zero("USD");
    for (int i = 0; i < 10; i++) sum = sum.plus(Cost.of("0.1", "USD"));
    assertThat(sum).isEqualTo(Cost.of("1.00", "USD")).hasToString("1 USD");
    assertThat(Cost.of("1E+3", "EUR")).hasToString("1000 EUR");
    assertThat(Cost.of("0.0000001", "EUR")).hasToString("0.0000001 EUR");
  }

  @Test
  void two_currencies_are_never_added() {
    assertThatThrownBy(() -> Cost.of("1", "USD").plus(Cost.of("2", "EUR")))
        .isInstanceOf(MixedCurrencies.class)
        .hasMessage(
            "1 USD and 2 EUR are of two currencies. Keep a sum for each, or convert one of them"
                + " first.");
  }

  @Test
  void a_currency_is_an_iso_code() {
    assertThatThrownBy(() -> Cost.of("1", "Dollars")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_cost_can_be_stored() {
    var codec = Codec.of(PriceResult.class);
    PriceResult known = new Known(Cost.of("0.0125", "USD"));
    assertThat(codec.decode(codec.encode(known))).isEqualTo(known);
  }

  @Test
  void cached_input_without_a_price_of_its_own_costs_what_input_costs() {
    var pricing = Pricing.perMillion("EUR", "2", "8");
    assertThat(pricing.cost(new Tokens(1_000_000, 400_000, 100_000, 0), NOW))
        .isEqualTo(new Known(Cost.of("2", "EUR")));
    assertThat(
            pricing
                .cachedInput("1")
                .cacheWrite("3")
                .cost(new Tokens(1_000_000, 400_000, 100_000, 0), NOW))
        .isEqualTo(new Known(Cost.of("1.7", "EUR")));
  }

  @Test
  void tokens_of_a_kind_that_has_no_price_make_the_call_unpriced() {
    var rates =
        new Rates(Optional.of(Rate.of("1")), Optional.empty(), Optional.empty(), Optional.empty());
    var embedding = new Pricing("USD", List.of(PricePeriod.always(rates)), Set.of());
    assertThat(embedding.cost(Tokens.of(1_000, 0), NOW)).isInstanceOf(Known.class);
    assertThat(embedding.cost(Tokens.of(1_000, 1), NOW))
        .isEqualTo(new Unpriced("The catalogue has no price for output of this model."));
  }

  @Test
  void prices_may_hold_for_a_part_of_the_day_also_over_midnight() {
    var night = new PricePeriod.Hours(LocalTime.of(22, 0), LocalTime.of(6, 0));
    var pricing =
        new Pricing(
            "USD",
            List.of(
                PricePeriod.always(Pricing.perMillion("USD", "4", "4").at(NOW)),
                new PricePeriod(
                    Optional.empty(),
                    Optional.of(night),
                    Pricing.perMillion("USD", "1", "1").at(NOW))),
            Set.of());
    var million = Tokens.of(1_000_000, 0);
    assertThat(List.of("05:59:59Z", "06:00:00Z", "21:59:59Z", "22:00:00Z"))
        .map(time -> pricing.cost(million, Instant.parse("2026-10-01T" + time)))
        .map(priced -> ((Known) priced).cost().amount().intValueExact())
        .containsExactly(1, 4, 4, 1);
  }

  @Test
  void an_unknown_price_fails_only_where_that_is_asked_for() {
    var unpriced = new Unpriced("Nobody knows.");
    assertThat(CostPolicy.UNPRICED.apply(unpriced)).isEqualTo(unpriced);
    assertThatThrownBy(() -> CostPolicy.FAIL.apply(unpriced))
        .isInstanceOf(UnknownPrice.class)
        .hasMessageStartingWith("Nobody knows. Give its price in a CatalogOverride");
    var known = new Known(Cost.zero("USD"));
    assertThat(CostPolicy.FAIL.apply(known)).isEqualTo(known);
  }

  @Test
  void parts_that_are_more_than_the_whole_do_not_make_a_cost_negative() {
    var pricing = Pricing.perMillion("USD", "1", "1").cachedInput("0");
    assertThat(pricing.cost(new Tokens(10, 20, 0, 0), NOW)).isEqualTo(new Known(Cost.zero("USD")));
  }
}
