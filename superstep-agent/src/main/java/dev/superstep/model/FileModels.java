package dev.superstep.model;

import java.nio.file.Path;
import java.util.Set;

/// Opens models whose replies are in a file. Part of this module, so no adapter has to be added.
final class FileModels implements ModelProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("scripted", "recorded");
  }

  @Override
  public int rank() {
    return OFFICIAL;
  }

  @Override
  public ChatModel open(ModelRef ref, Environment environment) {
    var file = Path.of(ref.model());
    return ref.provider().equals("scripted") ? ScriptedModel.open(file) : RecordedModel.open(file);
  }
}
