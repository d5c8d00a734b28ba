package dev.superstep.example.triage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Compares text with a file; `-Dsuperstep.golden=write` writes the file instead.
final class Golden {
  private Golden() {}

  static void check(String name, String actual) throws IOException {
    var file = Path.of("src/test/resources/golden", name);
    if ("write".equals(System.getProperty("superstep.golden"))) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(file));
  }
}
