package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.LogSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What libraries log, in a process with the settings of the command.
@Timeout(60)
class LogSettingsTest {
  @TempDir Path temp;

  /// A program that sets up logging as the command does, and logs.
  static final class Logging {
    public static void main(String[] arguments) {
      LogSettings.install();
      var logger = Logger.getLogger("a.library");
      logger.info("interesting");
      logger.warning("wrong");
    }
  }

  @Test
  void what_is_wrong_reaches_the_terminal_and_what_is_only_interesting_does_not() throws Exception {
    assertThat(logged()).contains("wrong").doesNotContain("interesting");
  }

  @Test
  void settings_that_the_user_names_stay() throws Exception {
    var mine = temp.resolve("mine.properties");
    Files.writeString(mine, "handlers = java.util.logging.ConsoleHandler\n.level = INFO\n");
    assertThat(logged("-Djava.util.logging.config.file=" + mine)).contains("wrong", "interesting");
  }

  private static String logged(String... flags) throws IOException, InterruptedException {
    var words = new ArrayList<String>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of(flags));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), Logging.class.getName()));
    var process = new ProcessBuilder(words).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
