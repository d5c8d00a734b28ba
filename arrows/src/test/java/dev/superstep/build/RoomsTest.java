package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The order of the packages inside a module. Looks at the compiled classes.
final class RoomsTest {
  /// Module to its packages, lowest first: a package uses only those before it.
  private static final Map<String, List<String>> ROOMS =
      Map.of(
          "superstep-store",
          List.of(
              "dev.superstep.store.jdbc.sql",
              "dev.superstep.store.jdbc.rows",
              "dev.superstep.store.jdbc.sqlite",
              "dev.superstep.store.jdbc.postgres",
              "dev.superstep.store.jdbc"),
          "superstep-cli",
          List.of(
              "dev.superstep.cli.host",
              "dev.superstep.cli.model",
              "dev.superstep.cli.view",
              "dev.superstep.cli.run",
              "dev.superstep.cli.command",
              "dev.superstep.cli"));

  private static final Path ROOT = Path.of(System.getProperty("superstep.root")).normalize();

  @Test
  void a_package_uses_only_packages_below_it() {
    assertThat(ROOMS.entrySet())
        .allSatisfy(
            module -> assertThat(backward(module.getValue(), classes(module.getKey()))).isEmpty());
  }

  @Test
  void every_package_of_a_module_has_its_place_in_the_order() {
    assertThat(ROOMS.entrySet())
        .allSatisfy(module ->
            assertThat(classes(module.getKey()).stream().map(JavaClass::getPackageName))
                .isNotEmpty()
                .allMatch(name -> name.isEmpty() || module.getValue().contains(name)));
  }

  private static List<String> backward(List<String> rooms, JavaClasses classes) {
    return classes.stream()
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .filter(use -> isBackward(rooms, use))
        .map(Dependency::getDescription)
        .toList();
  }

  private static boolean isBackward(List<String> rooms, Dependency use) {
    int from = rooms.indexOf(use.getOriginClass().getPackageName());
    int to = rooms.indexOf(use.getTargetClass().getBaseComponentType().getPackageName());
    return from < to;
  }

  private static JavaClasses classes(String name) {
    return new ClassFileImporter().importPath(new Module(name, ROOT.resolve(name)).classes());
  }
}
