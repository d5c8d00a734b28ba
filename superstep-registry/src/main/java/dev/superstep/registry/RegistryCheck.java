package dev.superstep.registry;

import dev.superstep.registry.Diagnostic.Severity;
import dev.superstep.registry.RegistrySnapshot.Alias;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Finds what is wrong with a registry and what is odd about it. For one thread and one snapshot.
final class RegistryCheck {
  private final List<Diagnostic> found = new ArrayList<>();
  private final ComponentLinks links;
  private final RegistrySnapshot snapshot;

  private RegistryCheck(RegistrySnapshot snapshot) {
    this.snapshot = snapshot;
    this.links = ComponentLinks.of(snapshot);
  }

  static List<Diagnostic> of(RegistrySnapshot snapshot) {
    var diagnosis = new RegistryCheck(snapshot);
    snapshot.aliases().forEach(diagnosis::alias);
    snapshot.components().forEach(diagnosis::dependencies);
    diagnosis.reusedNames();
    return diagnosis.found;
  }

  private void alias(Alias alias) {
    if (links.has(alias.alias())) {
      warn(
          "alias-shadows-component",
          alias.alias(),
          "Alias `%s` hides the component of that name. Rename one of them."
              .formatted(alias.alias()));
    }
    try {
      var target = links.resolved(alias.alias());
      if (!links.has(target)) {
        error(
            "dangling-alias",
            alias.alias(),
            "Alias `%s` leads to `%s`, which is not registered. Register it or take the alias out."
                .formatted(alias.alias(), target));
      }
    } catch (AliasLoop e) {
      error("alias-loop", alias.alias(), String.valueOf(e.getMessage()));
    }
  }

  private void dependencies(Descriptor component) {
    try {
      links.order(component.id());
    } catch (MissingDependency | UnknownComponent e) {
      error("missing-dependency", component.id(), String.valueOf(e.getMessage()));
    } catch (DependencyCycle e) {
      error("dependency-cycle", component.id(), String.valueOf(e.getMessage()));
    } catch (AliasLoop _) {
      // told of the alias
    }
  }

  private void reusedNames() {
    Map<String, TreeSet<String>> kinds = new TreeMap<>();
    Map<String, ComponentId> first = new TreeMap<>();
    for (var component : snapshot.components()) {
      var id = component.id();
      var name = id.namespace().map(text -> text + "/").orElse("") + id.name();
      kinds.computeIfAbsent(name, _ -> new TreeSet<>()).add(id.kind());
      first.putIfAbsent(name, id);
    }
    kinds.forEach((name, used) -> {
      var id = first.get(name);
      if (used.size() < 2 || id == null) return;
      warn(
          "name-reused",
          id,
          "`%s` is a name of several kinds: %s. That is legal, but easily mistaken."
              .formatted(name, used.stream().collect(Collectors.joining(", "))));
    });
  }

  private void warn(String code, ComponentId about, String message) {
    found.add(new Diagnostic(Severity.WARNING, code, about, message));
  }

  private void error(String code, ComponentId about, String message) {
    found.add(new Diagnostic(Severity.ERROR, code, about, message));
  }
}
