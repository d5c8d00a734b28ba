package dev.superstep.rag.internal.run;

import dev.superstep.budget.Budget;
import dev.superstep.budget.Prices;
import dev.superstep.catalog.ModelCatalog;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.rag.Item;
import dev.superstep.rag.component.RagKind;
import dev.superstep.registry.Registry;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Reads `limits`.
public final class LimitItems {
  private static final String CURRENCY = "USD";
  private static final String PRICES = "usd";

  private LimitItems() {}

  /// The limits on calls of models, tokens and money; empty if there are none of these.
  public static Optional<Budget> budget(Items items, Scene scene) {
    var fields = items.fields(Item.LIMITS);
    var budget = Budget.unlimited();
    var calls = count(fields, "model_calls");
    if (calls.isPresent()) budget = budget.calls(calls.getAsLong());
    var tokens = count(fields, "tokens");
    if (tokens.isPresent()) budget = budget.totalTokens(tokens.getAsLong());
    if (fields.get("cost") instanceof Literal.Decimal(var cost)) {
      budget = budget.money(cost.toPlainString(), CURRENCY, prices(scene.registry()));
    } else if (calls.isEmpty() && tokens.isEmpty()) return Optional.empty();
    return Optional.of(budget);
  }

  /// The prices of models in US dollars.
  static Prices prices(Registry registry) {
    return registry
        .find(RagKind.PRICES, PRICES)
        .orElseGet(() -> Prices.of(ModelCatalog.shipped(), CURRENCY, InstantSource.system()));
  }

  public static OptionalLong count(Items items, String key) {
    return count(items.fields(Item.LIMITS), key);
  }

  private static OptionalLong count(Map<String, Literal> fields, String key) {
    return fields.get(key) instanceof Literal.Decimal(var number)
        ? OptionalLong.of(number.longValueExact())
        : OptionalLong.empty();
  }
}
