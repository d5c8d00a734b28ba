package dev.superstep.catalog;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A model of which more is known than it says itself. As safe for many threads as it is.
final class ProfiledModel implements ChatModel {
  private final ChatModel model;
  private final Supplier<Optional<ModelEntry>> entry;
  private volatile @Nullable ModelProfile profile;

  /// @param entry asked for when the profile first is
  ProfiledModel(ChatModel model, Supplier<Optional<ModelEntry>> entry) {
    this.model = model;
    this.entry = entry;
  }

  @Override
  public ModelRef ref() {
    return model.ref();
  }

  @Override
  public ModelProfile profile() {
    var known = profile;
    if (known == null) {
      var own = model.profile();
      profile = known = entry.get().map(found -> known(own, found)).orElse(own);
    }
    return known;
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return model.identity();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    return model.call(request);
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    return model.stream(request, listener);
  }

  /// Merges the model's own profile, which prevails, with the entry.
  private static ModelProfile known(ModelProfile own, ModelEntry entry) {
    var said = new Capabilities(own.has(), own.lacks());
    var both = entry.capabilities().correctedBy(said);
    var listed = entry.profile();
    return new ModelProfile(
        both.has(),
        both.lacks(),
        own.contextWindow().isPresent() ? own.contextWindow() : listed.contextWindow(),
        own.maxOutput().isPresent() ? own.maxOutput() : listed.maxOutput());
  }

  @Override
  public String toString() {
    return model.toString();
  }
}
