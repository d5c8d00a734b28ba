package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Packages of the published modules form layers: none uses another that uses it, be it by way of
/// others. Looks at the compiled classes; references in comments do not count.
final class PackageCyclesTest {
  private static final Path ROOT = Path.of(System.getProperty("superstep.root")).normalize();
  private static final String OURS = "dev.superstep.";

  /// Package to the packages of ours that its classes use.
  private static Map<String, Set<String>> uses() {
    var folders =
        Module.all(ROOT).stream()
            .filter(module -> module.name().startsWith("superstep-"))
            .map(Module::classes)
            .filter(Files::isDirectory)
            .toList();
    var uses = new TreeMap<String, Set<String>>();
    for (var type : new ClassFileImporter().importPaths(folders)) {
      var all = uses.computeIfAbsent(type.getPackageName(), _ -> new TreeSet<>());
      for (var use : type.getDirectDependenciesFromSelf()) {
        all.add(use.getTargetClass().getBaseComponentType().getPackageName());
      }
    }
    uses.forEach((from, all) -> all.removeIf(to -> to.equals(from) || !to.startsWith(OURS)));
    return uses;
  }

  /// The cycles, each as all packages that can be reached from one another.
  private static List<String> cycles(Map<String, Set<String>> uses) {
    var found = new ArrayList<String>();
    for (var start : uses.keySet()) {
      var reached = reached(uses, start);
      if (!reached.contains(start)) continue;
      var mutual = new TreeSet<String>();
      for (var other : reached) if (reached(uses, other).contains(start)) mutual.add(other);
      if (mutual.first().equals(start)) found.add(String.join(" <-> ", mutual));
    }
    return found;
  }

  private static Set<String> reached(Map<String, Set<String>> uses, String start) {
    var reached = new HashSet<String>();
    var open = new ArrayList<>(uses.getOrDefault(start, Set.of()));
    while (!open.isEmpty()) {
      var next = open.removeLast();
      if (reached.add(next)) open.addAll(uses.getOrDefault(next, Set.of()));
    }
    return reached;
  }

  @Test
  void no_two_packages_use_each_other() {
    assertThat(cycles(uses())).isEmpty();
  }

  @Test
  void an_indirect_cycle_is_found() {
    var uses = Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("b"), "d", Set.of("a"));
    assertThat(cycles(new TreeMap<>(uses))).containsExactly("b <-> c");
  }
}
