package dev.superstep.spring;

import dev.superstep.model.ChatModel;
import java.util.Map;

/// Further models of an application, beside those of its properties. Each bean of this type adds
/// its models to [Models]; a property of the same name is preferred.
@FunctionalInterface
public interface ModelSource {
  /// The models by name. Called once, while the application starts.
  Map<String, ChatModel> models();
}
