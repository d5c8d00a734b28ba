package dev.superstep.testkit.model;

import dev.superstep.model.ChatModel;
import java.util.Set;

/// A model and the server that it asks.
///
/// @param key the key that the model was opened with; empty if its protocol has none
/// @param features what the vendor's protocol can carry
public record ModelUnderTest(ChatModel model, ModelServer server, String key, Set<Feature> features)
    implements AutoCloseable {
  public ModelUnderTest {
    features = Set.copyOf(features);
  }

  /// Returns true if the vendor's protocol can carry this.
  public boolean has(Feature feature) {
    return features.contains(feature);
  }

  @Override
  public void close() {
    server.close();
  }
}
