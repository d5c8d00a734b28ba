package dev.superstep.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.catalog.ModelCatalog;
import dev.superstep.model.ModelRef;
import dev.superstep.model.Usage;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PricesTest {
  private static final Instant NOW = Instant.parse("2026-11-22T00:00:00Z");

  @Test
  void a_catalogue_prices_known_models_in_its_own_currency() {
    var catalog = ModelCatalog.shipped();
    var used = new Usage(1_000_000, 0, 0, 0);
    var known = ModelRef.parse("openai://gpt-4o");
    var dollars = Prices.of(catalog, "USD", () -> NOW);
    assertThat(dollars.cost(known, used)).hasValueSatisfying(c -> assertThat(c).isPositive());
    assertThat(Prices.of(catalog, "EUR", () -> NOW).cost(known, used)).isEmpty();
    assertThat(dollars.cost(ModelRef.parse("local://gemma3-270m"), used)).isEmpty();
  }
}
