package dev.superstep.registry;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.List;

/// The contents of a registry at one time, as data. Immutable.
///
/// @param registry its name
/// @param components sorted by kind and name
/// @param aliases sorted by kind and name
public record RegistrySnapshot(
    String registry, boolean locked, List<Descriptor> components, List<Alias> aliases) {
  public RegistrySnapshot {
    components = List.copyOf(components);
    aliases = List.copyOf(aliases);
  }

  /// Another name of a component.
  public record Alias(ComponentId alias, ComponentId target) {}

  /// This as JSON.
  public Json json() {
    return Codec.of(RegistrySnapshot.class).encode(this);
  }

  /// Reads what [#json] wrote.
  ///
  /// @throws dev.superstep.json.MalformedJson if it is something else
  public static RegistrySnapshot parse(Json json) {
    return json.as(RegistrySnapshot.class);
  }

  /// This in the DOT language of Graphviz: boxes by kind, arrows to what is needed, dashed ones
  /// from aliases.
  public String dot() {
    var dot = new StringBuilder("digraph \"" + escaped(registry) + "\" {\n  node [shape=box]\n");
    var kinds = components.stream().map(each -> each.id().kind()).distinct().toList();
    for (var kind : kinds) {
      dot.append("  subgraph cluster_").append(kind).append(" {\n    label=\"").append(kind);
      dot.append("\"\n");
      components.stream()
          .filter(each -> each.id().kind().equals(kind))
          .forEach(each ->
              dot.append(
                  "    \"%s\" [label=\"%s\"%s]\n"
                      .formatted(
                          each.id(), each.id().local(), each.perRun() ? ", peripheries=2" : "")));
      dot.append("  }\n");
    }
    for (var each : components) {
      for (var needed : each.dependencies()) {
        dot.append("  \"%s\" -> \"%s\"\n".formatted(each.id(), needed));
      }
    }
    for (var alias : aliases) {
      dot.append("  \"%s\" -> \"%s\" [style=dashed]\n".formatted(alias.alias(), alias.target()));
    }
    return dot.append("}\n").toString();
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }
}
