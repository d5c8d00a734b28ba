package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// Compares text with files in `src/test/resources`, so that a review sees every change of what
/// people read. `-Dsuperstep.golden=write` writes the files instead. Immutable.
///
/// ```java
/// @TestFactory
/// Stream<DynamicTest> programs() {
///   return Golden.in("programs").each(source -> report(compile(source)));
/// }
/// ```
public final class Golden {
  private static final String ENDING = ".golden";

  private final Path folder;

  private Golden(Path folder) {
    this.folder = folder;
  }

  /// Files in a folder below `src/test/resources` of the module under test.
  public static Golden in(String folder) {
    return in(Path.of("src/test/resources").resolve(folder));
  }

  /// Files in any folder.
  public static Golden in(Path folder) {
    return new Golden(folder);
  }

  /// Returns a test for each input in the folder: the output must equal the file beside it, whose
  /// name has `.golden` added.
  ///
  /// @param body makes the output of an input
  public Stream<DynamicTest> each(UnaryOperator<String> body) {
    try (var files = Files.list(folder)) {
      return files
          .filter(file -> Files.isRegularFile(file) && !file.toString().endsWith(ENDING))
          .sorted()
          .toList()
          .stream()
          .map(file -> test(file, body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Compares text with the file of this name.
  ///
  /// @throws AssertionError if it differs, or if there is no such file
  public void check(String name, String text) {
    check(folder.resolve(name), text);
  }

  private static DynamicTest test(Path input, UnaryOperator<String> body) {
    var name = String.valueOf(input.getFileName());
    return DynamicTest.dynamicTest(
        name,
        input.toUri(),
        () -> check(input.resolveSibling(name + ENDING), body.apply(Files.readString(input))));
  }

  /// Git on Windows may have given the file the line ends of Windows, which are no change of text.
  private static String expected(Path file, String text) throws IOException {
    var expected = Files.readString(file);
    return text.indexOf('\r') < 0 ? expected.replace("\r\n", "\n") : expected;
  }

  private static void check(Path file, String text) {
    try {
      if ("write".equals(System.getProperty("superstep.golden"))) {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, text);
      }
      assertThat(file).as("golden file; -Dsuperstep.golden=write makes it").exists();
      assertThat(text).as(file.toString()).isEqualTo(expected(file, text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
