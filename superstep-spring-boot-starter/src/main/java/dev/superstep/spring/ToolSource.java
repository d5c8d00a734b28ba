package dev.superstep.spring;

import dev.superstep.tool.Tool;
import java.util.List;

/// Further tools of an application, beside its annotated methods. Each bean of this type adds its
/// tools to the bean [dev.superstep.tool.Tools].
@FunctionalInterface
public interface ToolSource {
  /// The tools. Called once, while the application starts.
  List<Tool> tools();
}
