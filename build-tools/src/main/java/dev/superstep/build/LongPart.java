package dev.superstep.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A part of the long tests: what of it is run, each by a Maven of its own.
///
/// @param runs by the root of the repository, in a fixed order
record LongPart(String name, Function<Path, List<Run>> runs) {
  private static final String EVERYTHING = "-Dsuperstep.excludedGroups=none";
  private static final String TAG = "@Tag(\"long\")";

  static final List<LongPart> ALL =
      List.of(
          classes("kills", ".*KillTest", "-Dsuperstep.kills=100"),
          classes(
              "server",
              "(SeveralServers|DatabaseRestart|ManyStreams)Test",
              "-Dsuperstep.serverKills=100",
              "-Dsuperstep.serverRuns=50",
              "-Dsuperstep.databaseRestarts=10",
              "-Dsuperstep.streams=1000"),
          classes("editors", "TwoEditorsTest", "-Dsuperstep.fileEdits=10000"),
          classes(
              "cases",
              "(Random.*|.*Property)Test",
              "-Dsuperstep.cases=10000",
              "-Dsuperstep.budgets=10000",
              "-Dsuperstep.limits=2000",
              "-Dsuperstep.restores=1000"),
          classes(
              "stores",
              ".*(CheckpointerTest|ManyThreadsTest)",
              "-Dsuperstep.cases=400",
              "-Dsuperstep.cells=100",
              "-Dsuperstep.histories=50",
              "-Dsuperstep.threads=1000"),
          classes(
              "schedules",
              ".*SchedulesTest",
              "-Dsuperstep.preemptions=3",
              "-Dsuperstep.schedules=2000"),
          classes("fuzz", "(?!Coverage).*FuzzTest", "-Dsuperstep.cases=100000"),
          classes(
              "coverage",
              "Coverage.*FuzzTest",
              "-Dsuperstep.jazzer=1",
              "-Dsuperstep.jazzer.hooks=true",
              "-Dsuperstep.testJvmArgs=--enable-native-access=ALL-UNNAMED -Xmx256m"),
          tagged("growth", ".*(Growth|Scale).*"),
          tagged("damage", ".*Damage.*"),
          tagged("times", "RegressionTest"),
          tagged("release", "Release.*Test"),
          new LongPart("mutation", Mutation::runs),
          tagged("migration", "PeerProgramsTest"),
          // A dev build skips the tests of build-tools otherwise.
          tagged("site", "Site.*", "-DskipTests=false"),
          tagged("studio", "Studio.*"),
          tagged("schemathesis", "SchemathesisTest"),
          tagged(
              "rest",
              "(?!Release|Site|Studio|Schemathesis)(?!.*(Growth|Scale|Damage|Kill|Regression|PeerPrograms)).*"));

  /// One Maven run.
  ///
  /// @param name of a test class, or of what is mutated
  /// @param arguments of `superstep test`
  record Run(String name, List<String> arguments) {}

  static Optional<LongPart> named(String name) {
    return ALL.stream().filter(part -> part.name().equals(name)).findFirst();
  }

  /// All tests of the classes whose simple names match, with options that make them long.
  private static LongPart classes(String name, String pattern, String... options) {
    var classes = Pattern.compile(pattern);
    return new LongPart(name, root -> runs(root, classes, false, List.of(options)));
  }

  /// The tests that are tagged `long`, in the classes whose simple names match.
  private static LongPart tagged(String name, String pattern, String... options) {
    var classes = Pattern.compile(pattern);
    var all = new ArrayList<>(List.of("-Dgroups=long"));
    all.addAll(List.of(options));
    return new LongPart(name, root -> runs(root, classes, true, all));
  }

  private static List<Run> runs(
      Path root, Pattern classes, boolean isTagged, List<String> options) {
    return Module.all(root).stream()
        .flatMap(module ->
            tests(module)
                .filter(file -> classes.matcher(simpleName(file)).matches())
                .filter(file -> !isTagged || text(file).contains(TAG))
                .map(file -> test(module, simpleName(file), options)))
        .toList();
  }

  private static Run test(Module module, String name, List<String> options) {
    var arguments = new ArrayList<>(List.of("-am", "-pl", module.name(), "-Dtest=" + name));
    arguments.add("-Dsurefire.failIfNoSpecifiedTests=false");
    // These run long enough for the second compiler of the JVM.
    arguments.add("-Dsuperstep.shortLived=");
    arguments.add(EVERYTHING);
    arguments.addAll(options);
    return new Run(name, List.copyOf(arguments));
  }

  private static Stream<Path> tests(Module module) {
    var sources = module.folder().resolve("src/test/java");
    if (!Files.isDirectory(sources)) return Stream.of();
    try (var files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith("Test.java"))
          .sorted(Comparator.comparing(LongPart::simpleName))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String simpleName(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
