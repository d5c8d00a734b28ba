package dev.superstep.budget;

import dev.superstep.json.SuperstepException;
import dev.superstep.model.ModelRef;

/// A run has a budget in money, and nobody knows what its model costs. Nothing was sent.
public final class UnpricedModel extends SuperstepException {
  private final String model;

  UnpricedModel(ModelRef model) {
    super(
        "budget.unpriced-model",
        "Model `"
            + model
            + "` has no known price, and the budget is in money. Add its price to the catalog, or"
            + " set Budget.unpricedIsFree().");
    this.model = model.url();
  }

  /// The URL of the model.
  public String model() {
    return model;
  }
}
