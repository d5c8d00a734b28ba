package dev.superstep.terminal.policy;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Settings from several places, and which of them counts. A folder may only tighten: it sets
/// nothing but the names that it may, and those only while it is trusted. Immutable; the methods
/// return changed copies.
///
/// ```java
/// var settings = ConfigLayers.empty()
///     .with(Layer.DEFAULT, "built in", Map.of("model.provider", "google-ai"))
///     .with(Layer.ENVIRONMENT, "SUPERSTEP_MODEL_PROVIDER", Map.of("model.provider", "local"));
/// settings.explain("model.provider");
/// ```
public final class ConfigLayers {
  private final Map<Layer, Values> layers;
  private final Tightening tightening;

  /// Where settings come from, the strongest first.
  public enum Layer {
    /// Of whoever runs the machine; nothing overrides it.
    MANAGED("managed"),
    FLAG("flag"),
    ENVIRONMENT("env"),
    PROJECT("project"),
    USER("user"),
    DEFAULT("default");

    private final String label;

    Layer(String label) {
      this.label = label;
    }

    /// The word that people see.
    public String label() {
      return label;
    }
  }

  /// Tells whether a value of a folder is stricter than one that would count without it.
  @FunctionalInterface
  public interface Tightening {
    /// Returns whether `value` is as strict as `other`, or stricter.
    boolean isTighter(String name, String value, Optional<String> other);

    /// Nothing that a folder says is.
    static Tightening never() {
      return (_, _, _) -> false;
    }
  }

  private record Values(String origin, Map<String, String> values, boolean isTrusted) {}

  /// What a layer says of one setting.
  ///
  /// @param origin such as a file or the name of a variable
  /// @param value empty if it says nothing
  /// @param note why a value does not count; empty if it counts, or a stronger one does
  public record Step(
      Layer layer, String origin, Optional<String> value, boolean counts, String note) {}

  /// What all layers say of one setting, the strongest first.
  public record Explanation(String name, Optional<String> value, List<Step> steps) {
    public Explanation {
      steps = List.copyOf(steps);
    }

    /// Lines of text; values of unknown origin are not made harmless for a terminal.
    public String text() {
      var text = new StringBuilder(name + " = " + value.orElse("(not set)") + "\n");
      for (var step : steps) {
        var said = step.value().map(v -> v + " (" + step.origin() + ")").orElse("-");
        var note = step.counts() ? "  <- counts" : step.note().isEmpty() ? "" : "  " + step.note();
        text.append("  %-8s %s%s\n".formatted(step.layer().label(), said, note));
      }
      return text.toString();
    }
  }

  private ConfigLayers(Map<Layer, Values> layers, Tightening tightening) {
    this.layers = layers;
    this.tightening = tightening;
  }

  public static ConfigLayers empty() {
    return new ConfigLayers(Map.of(), Tightening.never());
  }

  /// Sets a layer.
  ///
  /// @param origin such as a path, for explanations
  public ConfigLayers with(Layer layer, String origin, Map<String, String> values) {
    if (layer == Layer.PROJECT) {
      throw new IllegalArgumentException("the layer of a project is set by `project`");
    }
    return with(layer, new Values(origin, Map.copyOf(values), true), tightening);
  }

  /// Sets the layer of a folder.
  ///
  /// @param isTrusted whether a person trusts exactly this file; else nothing of it counts
  public ConfigLayers project(
      String origin, Map<String, String> values, boolean isTrusted, Tightening mayOnly) {
    return with(Layer.PROJECT, new Values(origin, Map.copyOf(values), isTrusted), mayOnly);
  }

  private ConfigLayers with(Layer layer, Values values, Tightening mayOnly) {
    var changed = new EnumMap<Layer, Values>(Layer.class);
    changed.putAll(layers);
    changed.put(layer, values);
    return new ConfigLayers(changed, mayOnly);
  }

  /// The value that counts.
  public Optional<String> value(String name) {
    return explain(name).value();
  }

  /// The names that any layer sets.
  public Set<String> names() {
    var names = new java.util.TreeSet<String>();
    layers.values().forEach(values -> names.addAll(values.values().keySet()));
    return names;
  }

  /// Tells what each layer says.
  public Explanation explain(String name) {
    var steps = new ArrayList<Step>();
    Optional<String> winner = Optional.empty();
    for (var layer : Layer.values()) {
      var step = step(layer, name, winner.isPresent());
      if (step.counts()) winner = step.value();
      steps.add(step);
    }
    return new Explanation(name, winner, steps);
  }

  private Step step(Layer layer, String name, boolean isDecided) {
    var values = layers.get(layer);
    if (values == null) return new Step(layer, "", Optional.empty(), false, "");
    var value = Optional.ofNullable(values.values().get(name));
    if (value.isEmpty()) return new Step(layer, values.origin(), value, false, "");
    var note = layer == Layer.PROJECT ? refusal(values, name, value.get()) : "";
    return new Step(layer, values.origin(), value, !isDecided && note.isEmpty(), note);
  }

  private String refusal(Values project, String name, String value) {
    if (!project.isTrusted()) return "not trusted";
    return tightening.isTighter(name, value, below(name)) ? "" : "a project may only tighten";
  }

  /// What would count without the folder.
  private Optional<String> below(String name) {
    for (var layer : List.of(Layer.USER, Layer.DEFAULT)) {
      var values = layers.get(layer);
      if (values != null && values.values().containsKey(name)) {
        return Optional.of(values.values().get(name));
      }
    }
    return Optional.empty();
  }
}
