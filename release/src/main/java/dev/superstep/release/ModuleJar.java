package dev.superstep.release;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The jar of a module of this repository.
final class ModuleJar {
  private static final List<String> BUILDS = List.of("target", "target/dev");
  private static final String BESIDE = ".*-(sources|javadoc|tests)\\.jar";

  private ModuleJar() {}

  /// Finds the jar that was built last, by the full build or by `-Ddev`.
  static Optional<Path> built(Path module) throws IOException {
    var all = Stream.<Path>builder();
    for (var build : BUILDS) {
      var folder = module.resolve(build);
      if (!Files.isDirectory(folder)) continue;
      try (var files = Files.list(folder)) {
        files
            .filter(file -> file.toString().endsWith(".jar"))
            .filter(file -> !file.toString().matches(BESIDE))
            .forEach(all);
      }
    }
    return all.build().max(Comparator.comparingLong(file -> file.toFile().lastModified()));
  }

  /// Returns the packages that everybody may use.
  static Set<String> exported(Path jar) {
    return ModuleFinder.of(jar).findAll().stream()
        .flatMap(module -> module.descriptor().exports().stream())
        .filter(exports -> !exports.isQualified())
        .map(ModuleDescriptor.Exports::source)
        .collect(Collectors.toSet());
  }
}
