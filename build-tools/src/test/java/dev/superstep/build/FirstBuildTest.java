package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The script `superstep` while it builds, which takes minutes the first time. In place of Maven is
/// a script that writes the lines of Maven one by one.
@Timeout(120)
class FirstBuildTest {
  private static final String MAVEN =
      """
      #!/bin/sh
      until_seen() { while [ ! -f "$SEEN/$1" ]; do sleep 0.1; done; }
      echo "[INFO] Building Superstep Graph 0.1.0-SNAPSHOT            [3/28]"
      until_seen graph
      echo "[INFO] Building Superstep Server 0.1.0-SNAPSHOT           [26/28]"
      echo "[INFO] --- exec:3.6.4:exec (studio) @ superstep-server ---"
      until_seen studio
      echo "[ERROR] it breaks"
      exit 1
      """;

  @TempDir Path temp;
  private Path home;

  @BeforeEach
  void copy() throws IOException {
    home = Files.createDirectories(temp.resolve("home"));
    executable(home.resolve("superstep"), Files.readString(Path.of("../superstep")));
    executable(Files.createDirectories(temp.resolve("bin")).resolve("mvn"), MAVEN);
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void a_long_build_says_what_it_is_at_and_leaves_nothing_at_work() throws Exception {
    var builder = new ProcessBuilder(home.resolve("superstep").toString(), "--version");
    var environment = builder.environment();
    environment.put("PATH", temp.resolve("bin") + ":" + environment.get("PATH"));
    environment.put("SEEN", temp.toString());
    environment.put("SUPERSTEP_JAVA_HOME", System.getProperty("java.home"));
    var process = builder.start();
    try (var told = process.errorReader()) {
      assertThat(told.readLine()).contains("the first time takes minutes");
      assertThat(told.readLine()).isEqualTo("superstep:   Superstep Graph (3 of 28)");
      Files.createFile(temp.resolve("graph"));
      assertThat(told.readLine()).startsWith("superstep:   the studio, with npm");
      Files.createFile(temp.resolve("studio"));
      // The end comes although whoever watched the build has the same output.
      assertThat(rest(told)).contains("[ERROR] it breaks", "the build failed");
      assertThat(process.waitFor()).isEqualTo(4);
      assertThat(process.descendants()).isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }

  private static String rest(BufferedReader told) {
    return String.join("\n", told.lines().toList());
  }
}
