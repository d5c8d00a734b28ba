package dev.superstep.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Classes whose code is changed in small ways (PIT), and the tests of which one must notice. Both
/// are given by their simple names and found in the sources, so they may move to another package or
/// module; a name that is not found is an error.
///
/// @param name of what these classes do together
/// @param tests in the module of the classes; few, since each change runs all that reach it
record Mutation(String name, List<String> classes, List<String> tests) {
  static final int KILLED_MIN_PERCENT = 90;

  private static final String PUBLISHED = "superstep-";

  private static final List<Mutation> ALL =
      List.of(
          new Mutation(
              "kernel",
              List.of("Kernel", "Frontier"),
              List.of(
                  "KernelTest",
                  "AdditiveCommandTest",
                  "AskTest",
                  "DataflowTest",
                  "DeferredTest",
                  "ExplanationTest",
                  "FanOutTest",
                  "GateTest",
                  "InputTargetsTest",
                  "JoinPolicyTest",
                  "JoinTest",
                  "MatrixRoutingTest",
                  "OnFailureTest",
                  "RoutingTest",
                  "SharedSubgraphTest",
                  "StateUpdateTest",
                  "SubgraphPersistenceTest",
                  "TriggerTest")),
          new Mutation(
              "folding",
              List.of("Folding"),
              List.of(
                  "FoldingTest",
                  "BarrierTest",
                  "ConflictTest",
                  "TruncatedListTest",
                  "DeltaTest",
                  "OverwriteThenWriteTest",
                  "SharedSubgraphTest",
                  "TriggerTest")),
          new Mutation(
              "leases",
              List.of("Leases"),
              List.of("KilledLeaseHolderTest", "LeaseRowsTest", "SqliteCheckpointerTest")),
          new Mutation(
              "budgets",
              List.of(
                  "Budget",
                  "BudgetExceeded",
                  "Ledger",
                  "Prices",
                  "Spend",
                  "UnpricedModel",
                  "UsageEstimator"),
              List.of("BudgetTest", "LedgerTest", "PricesTest", "UsageEstimatorTest")),
          new Mutation(
              "gates",
              List.of("Gates", "Triggers"),
              List.of(
                  "BarrierTest",
                  "DataflowTest",
                  "ExplanationTest",
                  "GateTest",
                  "TriggerTest",
                  "TriggerValidationTest")),
          new Mutation(
              "approvals",
              List.of(
                  "GateDecision",
                  "Review",
                  "ReviewNode",
                  "ToolCallPolicy",
                  "ToolGate",
                  "ToolPolicy"),
              List.of("ReviewTest", "SteeringTest", "SubAgentTest", "ToolGateTest")));

  static List<LongPart.Run> runs(Path root) {
    return ALL.stream().map(mutation -> mutation.run(root)).toList();
  }

  /// One run of PIT.
  ///
  /// @throws IllegalStateException if a class or a test is not found, or not in one module
  private LongPart.Run run(Path root) {
    var types = find(root, "src/main/java", classes);
    var modules = types.stream().map(Source::module).distinct().toList();
    if (modules.size() > 1) {
      throw new IllegalStateException("`" + name + "` is in several modules: " + modules);
    }
    var module = modules.getFirst();
    var reaching = find(root, "src/test/java", tests);
    for (var test : reaching) {
      if (test.module().equals(module)) continue;
      throw new IllegalStateException(test.type() + " is not in " + module.name());
    }
    return new LongPart.Run(name, arguments(module, types, reaching));
  }

  private static List<String> arguments(Module module, List<Source> types, List<Source> tests) {
    return List.of(
        "org.pitest:pitest-maven:mutationCoverage",
        "-pl",
        module.name(),
        "-am",
        // The modules that it depends on have no such classes.
        "-DfailWhenNoMutations=false",
        "-Dtest=NoTest",
        "-Dsurefire.failIfNoSpecifiedTests=false",
        "-DtargetClasses=" + names(types, type -> type + "," + type + "$*"),
        "-DtargetTests=" + names(tests, test -> test));
  }

  private static String names(List<Source> sources, UnaryOperator<String> pattern) {
    return sources.stream()
        .map(source -> pattern.apply(source.type()))
        .collect(Collectors.joining(","));
  }

  /// A class of its own file.
  private record Source(Module module, String type) {}

  private static List<Source> find(Path root, String folder, List<String> names) {
    var all =
        Module.all(root).stream()
            .filter(module -> module.name().startsWith(PUBLISHED))
            .flatMap(module -> sources(module, folder))
            .toList();
    return names.stream()
        .flatMap(name -> {
          var found = all.stream().filter(source -> isNamed(source, name)).toList();
          if (found.isEmpty()) {
            throw new IllegalStateException(
                "There is no class `"
                    + name
                    + "` in "
                    + folder
                    + " of any module `"
                    + PUBLISHED
                    + "*`.");
          }
          return found.stream();
        })
        .toList();
  }

  private static boolean isNamed(Source source, String name) {
    return source.type().endsWith("." + name);
  }

  private static Stream<Source> sources(Module module, String folder) {
    var sources = module.folder().resolve(folder);
    if (!Files.isDirectory(sources)) return Stream.of();
    try (var files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(file -> new Source(module, type(sources.relativize(file))))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String type(Path file) {
    return file.toString().replace(".java", "").replace('/', '.');
  }
}
