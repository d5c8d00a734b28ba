package dev.superstep.shape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Compares text with a file under `src/test/resources/golden`; `-Dsuperstep.golden=write` writes
/// the file instead.
final class Golden {
  private static final Path FOLDER = Path.of("src/test/resources/golden");

  private Golden() {}

  static void check(String file, String text) throws IOException {
    var path = FOLDER.resolve(file);
    if ("write".equals(System.getProperty("superstep.golden"))) Files.writeString(path, text);
    assertThat(path).as("golden file, written with -Dsuperstep.golden=write").exists();
    assertThat(text).isEqualTo(Files.readString(path));
  }
}
