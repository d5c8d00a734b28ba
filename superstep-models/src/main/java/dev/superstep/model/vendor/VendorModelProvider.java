package dev.superstep.model.vendor;

import dev.superstep.model.ChatModel;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelProvider;
import dev.superstep.model.ModelRef;
import java.util.Set;

/// Offers what [VendorModels] opens to [dev.superstep.model.ModelProviders]. Made by the service
/// loader.
public final class VendorModelProvider implements ModelProvider {
  /// For the service loader.
  public VendorModelProvider() {}

  @Override
  public Set<String> schemes() {
    return VendorModels.PROVIDERS;
  }

  @Override
  public int rank() {
    return SMALL;
  }

  @Override
  public ChatModel open(ModelRef ref, Environment environment) {
    return VendorModels.open(ref, environment);
  }

  @Override
  public String toString() {
    return getClass().getSimpleName();
  }
}
