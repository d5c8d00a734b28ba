package dev.superstep.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A part of the long tests: test classes by their names, and the options that make them long.
///
/// @param classes matches the simple names of its test classes
/// @param isTagged whether only classes with tests tagged `long` belong to it
/// @param options what Maven is given besides
record LongPart(
    String name, String purpose, Pattern classes, boolean isTagged, List<String> options) {
  private static final String EVERYTHING = "-Dsuperstep.excludedGroups=none";
  private static final String TAG = "@Tag(\"long\")";

  static final List<LongPart> ALL =
      List.of(
          knobs(
              "kills",
              "processes killed around their writes, by the hundred",
              ".*KillTest",
              "-Dsuperstep.kills=100"),
          knobs(
              "cases",
              "random graphs, flows, boards and budgets, 10,000 of each",
              "(Random.*|.*Property)Test",
              "-Dsuperstep.cases=10000",
              "-Dsuperstep.budgets=10000"),
          knobs(
              "fuzz",
              "damaged stores and random texts, 100,000 of each",
              ".*FuzzTest",
              "-Dsuperstep.cases=100000"),
          tagged("growth", "what grows with n, from 10 to 100,000", ".*(Growth|Scale).*"),
          tagged("damage", "bytes of stored files flipped", ".*Damage.*"),
          tagged("times", "ratios to the hand-written limit, in one run", "RegressionTest"),
          tagged(
              "rest",
              "everything else that is tagged long",
              "(?!.*(Growth|Scale|Damage|Kill|Regression)).*"));

  private static LongPart knobs(String name, String purpose, String classes, String... options) {
    var all = Stream.concat(Stream.of(EVERYTHING), Stream.of(options)).toList();
    return new LongPart(name, purpose, Pattern.compile(classes), false, all);
  }

  private static LongPart tagged(String name, String purpose, String classes) {
    var options = List.of(EVERYTHING, "-Dgroups=long");
    return new LongPart(name, purpose, Pattern.compile(classes), true, options);
  }

  static Optional<LongPart> named(String name) {
    return ALL.stream().filter(part -> part.name().equals(name)).findFirst();
  }

  /// A test class of a module.
  record TestClass(String module, String name) {}

  /// The test classes of this part, in the order of modules and names.
  List<TestClass> tests(Path root) {
    return Module.all(root).stream().flatMap(this::tests).toList();
  }

  private Stream<TestClass> tests(Module module) {
    var sources = module.folder().resolve("src/test/java");
    if (!Files.isDirectory(sources)) return Stream.of();
    try (var files = Files.walk(sources)) {
      return files
          .filter(this::isMine)
          .map(file -> new TestClass(module.name(), simpleName(file)))
          .sorted(Comparator.comparing(TestClass::name))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isMine(Path file) {
    if (!file.toString().endsWith("Test.java")) return false;
    if (!classes.matcher(simpleName(file)).matches()) return false;
    return !isTagged || text(file).contains(TAG);
  }

  private static String simpleName(Path file) {
    var name = file.getFileName().toString();
    return name.substring(0, name.length() - ".java".length());
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
