package dev.superstep.tool;

import dev.superstep.model.ToolSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The tools of one agent, by name. Immutable.
public final class Tools {
  private static final Tools NONE = new Tools(Map.of());
  private final Map<String, Tool> byName;

  private Tools(Map<String, Tool> byName) {
    this.byName = byName;
  }

  /// No tools.
  public static Tools none() {
    return NONE;
  }

  /// These tools, shown to the model in this order.
  ///
  /// @throws IllegalArgumentException if two have one name
  public static Tools of(Tool... tools) {
    return of(List.of(tools));
  }

  /// These tools, shown to the model in this order.
  ///
  /// @throws IllegalArgumentException if two have one name
  public static Tools of(List<Tool> tools) {
    var byName = new LinkedHashMap<String, Tool>();
    for (var tool : tools) {
      if (byName.put(tool.name(), tool) != null) {
        throw new IllegalArgumentException("two tools are named `" + tool.name() + "`");
      }
    }
    return new Tools(byName);
  }

  /// The tool of that name.
  public Optional<Tool> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /// All names, in order.
  public List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /// What models are told, in order.
  public List<ToolSpec> specs() {
    return byName.values().stream().map(Tool::spec).toList();
  }
}
