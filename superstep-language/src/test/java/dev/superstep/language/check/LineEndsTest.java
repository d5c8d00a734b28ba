package dev.superstep.language.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.blueprint.Blueprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// A source that was checked out on Windows is the same graph: its hash is that of the other form.
class LineEndsTest {
  @TestFactory
  Stream<DynamicTest> line_ends_of_windows_change_no_graph() throws IOException {
    try (var files = Files.list(Path.of("src/test/resources/valid"))) {
      return files.filter(file -> file.toString().endsWith(".rag")).sorted().toList().stream()
          .map(file ->
              DynamicTest.dynamicTest(
                  file.getFileName().toString(),
                  () -> {
                    var text = Files.readString(file);
                    var hashes = hashes(text);
                    assertThat(hashes).isNotEmpty();
                    assertThat(hashes(text.replace("\n", "\r\n"))).isEqualTo(hashes);
                  }));
    }
  }

  private static List<String> hashes(String text) {
    return Registered.compile(text).blueprints().stream().map(Blueprint::hash).toList();
  }
}
