package dev.superstep.catalog;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelProfiles;

/// The profiles of [ModelCatalog#shipped], for models that [dev.superstep.model.ModelProviders]
/// opens. Made by the service loader. Immutable.
public final class CatalogProfiles implements ModelProfiles {
  /// For the service loader.
  public CatalogProfiles() {}

  @Override
  public ChatModel profiled(ChatModel model) {
    return ModelCatalog.profiledWhenAsked(model);
  }

  @Override
  public String toString() {
    return "CatalogProfiles[]";
  }
}
