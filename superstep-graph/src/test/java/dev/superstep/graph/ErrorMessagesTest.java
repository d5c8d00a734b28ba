package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.superstep.error.InvalidGraph;
import dev.superstep.json.SuperstepException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What users read when something is wrong, all of it in one file, and nothing that is not there.
@Tag("A13")
class ErrorMessagesTest {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Pattern PROBLEM =
      Pattern.compile("(?:add|error|new Problem)\\(\\s*\"([a-z-]+[a-z])\"");

  /// A way to make an error.
  record Case(String title, ThrowingCallable cause) {}

  @Test
  void every_error_says_what_and_where_and_what_to_do() throws IOException {
    var text = new StringBuilder();
    var met = new LinkedHashSet<Class<?>>();
    for (var one : Provocations.all()) {
      var error = catchThrowable(one.cause());
      assertThat(error).as(one.title()).isInstanceOf(SuperstepException.class);
      met.add(error.getClass());
      text.append(shown(one.title(), (SuperstepException) error));
    }
    assertThat(names(met))
        .as("error classes of this module; provoke each in Provocations")
        .isEqualTo(names(classes()));
    GoldenText.check("errors.txt", text.toString());
  }

  @Test
  void every_problem_of_a_definition_is_reported() throws IOException {
    var text = new StringBuilder();
    var met = new TreeSet<String>();
    for (var one : Mistakes.all()) {
      var error = catchThrowable(one.cause());
      assertThat(error).as(one.title()).isInstanceOf(InvalidGraph.class);
      for (var problem : ((InvalidGraph) error).problems()) {
        met.add(problem.code());
        text.append(problem.code()).append("\n  ").append(problem.message()).append("\n\n");
      }
    }
    assertThat(met)
        .as("codes of problems in the source; make each in Mistakes")
        .containsAll(problemCodes());
    GoldenText.check("problems.txt", text.toString());
  }

  private static String shown(String title, SuperstepException error) {
    var text = new StringBuilder("# " + title + "\n");
    text.append(error.getClass().getSimpleName()).append(' ').append(error.code()).append('\n');
    text.append(error.getMessage()).append('\n');
    for (var field : fields(error.getClass())) {
      try {
        text.append("  ").append(field.getName()).append(" = ").append(field.invoke(error));
        text.append('\n');
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
    return text.append('\n').toString();
  }

  private static List<Method> fields(Class<?> error) {
    var fields =
        Arrays.stream(error.getDeclaredMethods())
            .filter(m -> Modifier.isPublic(m.getModifiers()) && m.getParameterCount() == 0)
            .filter(m -> !Modifier.isStatic(m.getModifiers()))
            .sorted(Comparator.comparing(Method::getName))
            .toList();
    assertThat(fields).as("fields of " + error.getSimpleName()).isNotEmpty();
    return fields;
  }

  private static Set<String> names(Set<Class<?>> classes) {
    return classes.stream()
        .map(Class::getSimpleName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<Class<?>> classes() throws IOException {
    var found = new LinkedHashSet<Class<?>>();
    for (var source : sources()) {
      var name = SOURCES.relativize(source).toString().replace(".java", "");
      if (name.endsWith("-info")) continue;
      try {
        var type = Class.forName(name.replace('/', '.').replace('\\', '.'));
        if (!SuperstepException.class.isAssignableFrom(type)) continue;
        if (!Modifier.isAbstract(type.getModifiers())) found.add(type);
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }
    return found;
  }

  private static Set<String> problemCodes() throws IOException {
    var codes = new TreeSet<String>();
    for (var source : sources()) {
      if (!Files.readString(source).contains("Problem")) continue;
      var matcher = PROBLEM.matcher(Files.readString(source));
      while (matcher.find()) codes.add(matcher.group(1));
    }
    return codes;
  }

  private static List<Path> sources() throws IOException {
    try (var files = Files.walk(SOURCES)) {
      return files.filter(f -> f.toString().endsWith(".java")).sorted().toList();
    }
  }
}
