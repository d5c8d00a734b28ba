package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Texts that reviewers read: kept in files, rewritten with `-Dsuperstep.golden=write`.
final class Golden {
  private static final Path FOLDER = Path.of("src/test/resources/golden");

  private Golden() {}

  static void check(String name, String text) throws IOException {
    var file = FOLDER.resolve(name);
    if ("write".equals(System.getProperty("superstep.golden"))) {
      Files.createDirectories(FOLDER);
      Files.writeString(file, text);
    }
    assertThat(text).as(name).isEqualTo(Files.readString(file));
  }
}
