package dev.superstep.catalog;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// The catalogue has no entry for a model.
public final class UnknownModel extends SuperstepException {
  private final String provider;
  private final String model;
  private final List<String> alike;

  UnknownModel(String provider, String model, List<String> alike) {
    super("catalog.unknown-model", message(provider, model, alike));
    this.provider = provider;
    this.model = model;
    this.alike = List.copyOf(alike);
  }

  public String provider() {
    return provider;
  }

  public String model() {
    return model;
  }

  /// Models of the provider whose names begin alike.
  public List<String> alike() {
    return alike;
  }

  private static String message(String provider, String model, List<String> alike) {
    return "The model catalogue has no `%s` of `%s`. ".formatted(model, provider)
        + (alike.isEmpty() ? "" : "It has " + String.join(", ", alike) + ". ")
        + "Add it with a CatalogOverride.";
  }
}
