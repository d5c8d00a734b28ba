package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.build.Declarations.Method;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

final class SizeTest {
  private static final int FILE_TALK = 400;
  private static final int FILE_MAX = 600;
  private static final int METHOD_TALK = 40;
  private static final int METHOD_MAX = 70;
  private static final int PARAMETERS_MAX = 5;

  @Test
  void no_file_is_longer_than_600_lines() {
    Repository.talk("files over " + FILE_TALK + " lines", filesOver(FILE_TALK));
    assertThat(filesOver(FILE_MAX)).isEmpty();
  }

  @Test
  void no_method_is_longer_than_70_lines() {
    Repository.talk("methods over " + METHOD_TALK + " lines", methodsOver(METHOD_TALK));
    assertThat(methodsOver(METHOD_MAX)).isEmpty();
  }

  /// Records' components are no parameters; a constructor that only its own package calls, and a
  /// method whose shape another type chose, are free too.
  @Test
  void no_method_has_more_than_5_parameters() {
    assertThat(
            methods(
                method ->
                    method.parameters() > PARAMETERS_MAX
                        && !method.overrides()
                        && (method.open() || !method.constructor()),
                method -> method.parameters() + " parameters"))
        .isEmpty();
  }

  private static List<String> filesOver(int limit) {
    return Repository.SOURCES.stream()
        .filter(source -> source.lines().size() > limit)
        .map(source -> source.path() + " has " + source.lines().size() + " lines")
        .toList();
  }

  private static List<String> methodsOver(int limit) {
    return methods(method -> method.lines() > limit, method -> method.lines() + " lines");
  }

  private static List<String> methods(Predicate<Method> which, Function<Method, String> what) {
    return Repository.DECLARED.methods().stream()
        .filter(which)
        .filter(method -> !Exceptions.allow(method))
        .map(m -> m.file() + ":" + m.line() + " " + m.name() + " has " + what.apply(m))
        .toList();
  }
}
