package dev.superstep.server.studio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.server.internal.api.studio.StudioAssets;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The studio as people use it: in Chromium, on a server process of its own with SQLite.
@Tag("SV13")
final class StudioBrowserTest {
  /// The folder in which the build has the studio with its packages.
  private static final Path BUILT = Path.of("target/studio").toAbsolutePath();

  private static final Path SCREENS = BUILT.resolve("screens");

  @TempDir private Path folder;

  @BeforeEach
  void need() throws IOException {
    var chromium = System.getenv().getOrDefault("SUPERSTEP_CHROMIUM", "/usr/bin/chromium");
    assumeTrue(Files.isExecutable(Path.of(chromium)), "there is no Chromium at " + chromium);
    assumeTrue(StudioAssets.isBuilt(), "this build has no studio, since npm is missing");
    Files.writeString(
        folder.resolve("report.rag"),
        """
        // A person decides about a request.
        graph report {
          input { request: text }
          channel decision overwrite
          start ask
          node ask {
            kind interrupt
            prompt "Refund this? {request}"
            into decision
            next write
          }
          node write {
            kind interrupt
            prompt "The decision: {decision}"
            into decision
          }
        }
        """);
  }

  @Test
  void the_logic_of_the_page_passes_its_own_tests() throws Exception {
    var told = run(List.of("npm", "run", "--silent", "test"));
    assertThat(told.exit()).as(told.text()).isZero();
  }

  @Test
  void a_run_is_watched_and_its_question_answered() throws Exception {
    try (var server = Server.start(folder, "published: ")) {
      var told = check(server, "smoke");
      assertThat(told.exit()).as(told.text()).isZero();
    }
  }

  /// Watches, answers, edits, forks, rewinds, replays, compares, edits a text, and looks at every
  /// page in three widths and two themes, for whoever does not see it, too. Screenshots are in
  /// `target/studio/screens`.
  @Test
  @Tag("long")
  void everything_is_done_by_keyboard_and_mouse_and_100000_events_stay_smooth() throws Exception {
    Told told;
    try (var server = Server.start(folder, "published: ")) {
      told = check(server, "long");
      print(told);
      assertThat(told.exit()).as(told.text()).isZero();
    }
    var thread =
        told.text()
            .lines()
            .filter(line -> line.startsWith("thread: "))
            .findFirst()
            .orElseThrow()
            .substring("thread: ".length());
    try (var server = Server.start(folder, "printed: ")) {
      var later = check(server, "diverged", thread);
      print(later);
      assertThat(later.exit()).as(later.text()).isZero();
    }
    if ("write".equals(System.getProperty("superstep.golden"))) writeGuide();
  }

  /// The screenshots of the guide are some of these.
  private static void writeGuide() throws IOException {
    var guide = Path.of("../docs/guide/operations/studio");
    for (var name : List.of("watch.png", "replay.png", "rag-save.png")) {
      Files.copy(SCREENS.resolve(name), guide.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void print(Told told) {
    told.text().lines().filter(line -> line.startsWith("long: ")).forEach(System.out::println);
  }

  private static Told check(Server server, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("node", "browser/check.mjs", server.address()));
    command.add(SCREENS.toString());
    command.addAll(List.of(arguments));
    return run(command);
  }

  /// The end of a program, and what it wrote.
  private record Told(int exit, String text) {}

  private static Told run(List<String> command) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(command).directory(BUILT.toFile()).redirectErrorStream(true).start();
    try {
      var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Told(process.waitFor(), text);
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
  }

  /// A [StudioServer] in a process of its own.
  private record Server(Process process, String address) implements AutoCloseable {
    static Server start(Path folder, String word) throws IOException {
      var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      var process =
          new ProcessBuilder(
                  java,
                  "--enable-native-access=ALL-UNNAMED",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  StudioServer.class.getName(),
                  folder.resolve("store.db").toString(),
                  folder.resolve("report.rag").toString(),
                  "0",
                  word)
              .redirectErrorStream(true)
              .start();
      return new Server(process, address(process));
    }

    @SuppressWarnings("StreamResourceLeak") // the process owns its output
    private static String address(Process process) throws IOException {
      BufferedReader lines = process.inputReader();
      var told = new StringBuilder();
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("ready ")) return line.substring("ready ".length());
        told.append(line).append('\n');
      }
      throw new IllegalStateException("the server did not start:\n" + told);
    }

    @Override
    public void close() throws IOException {
      process.getOutputStream().close();
      var _ = process.onExit().join();
    }
  }
}
