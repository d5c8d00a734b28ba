package dev.superstep.server.studio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.server.internal.api.studio.StudioAssets;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
  private static final String ASKED = "server: ";
  private static final String KEY = "key-of-ann-0123456789";

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
    var told = run(List.of("npm", "run", "--silent", "test"), null);
    assertThat(told.exit()).as(told.text()).isZero();
  }

  /// Watches a run and the graphs inside it, answers, cancels, and stays on the page while the
  /// server dies and comes back. Reviews of calls and texts with their preview are in the long
  /// form.
  @Test
  @Tag("H4.8")
  void a_person_watches_answers_cancels_and_outlasts_a_restart() throws Exception {
    try (var server = Server.start(folder, "published: ")) {
      var told = check(server, "smoke");
      assertThat(told.exit()).as(told.text()).isZero();
    }
  }

  @Test
  void a_server_with_keys_is_used_with_a_key_that_stays_in_its_tab() throws Exception {
    try (var server = Server.start(folder, "published: ", "ann " + KEY)) {
      var told = check(server, "keys", KEY);
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
    for (var name :
        List.of(
            "watch.png",
            "inside.png",
            "calls.png",
            "review.png",
            "replay.png",
            "preview.png",
            "rag-save.png")) {
      Files.copy(SCREENS.resolve(name), guide.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void print(Told told) {
    told.text().lines().filter(line -> line.startsWith("long: ")).forEach(System.out::println);
  }

  /// Runs the checks in Chromium. They may ask for a stop of the server, and for its next start.
  private static Told check(Server server, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("node", "browser/check.mjs", server.address()));
    command.add(SCREENS.toString());
    command.addAll(List.of(arguments));
    return run(command, server);
  }

  /// The end of a program, and what it wrote.
  private record Told(int exit, String text) {}

  private static Told run(List<String> command, @Nullable Server server)
      throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(command).directory(BUILT.toFile()).redirectErrorStream(true).start();
    try (var lines = process.inputReader();
        var answers = process.outputWriter()) {
      var text = new StringBuilder();
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        text.append(line).append('\n');
        if (server == null || !line.startsWith(ASKED)) continue;
        if (line.equals(ASKED + "stop")) server.kill();
        else server.restart();
        answers.write("done\n");
        answers.flush();
      }
      return new Told(process.waitFor(), text.toString());
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
  }

  /// A [StudioServer] in a process of its own. For one thread.
  private static final class Server implements AutoCloseable {
    private final Path folder;
    private final List<String> more;
    private final String address;
    private Process process;

    private Server(Path folder, List<String> more) throws IOException {
      this.folder = folder;
      this.more = more;
      this.process = process("0");
      this.address = address(process);
    }

    static Server start(Path folder, String word, String... keys) throws IOException {
      var more = new ArrayList<>(List.of(word));
      more.addAll(List.of(keys));
      return new Server(folder, more);
    }

    String address() {
      return address;
    }

    /// Ends it as a crash does.
    void kill() throws InterruptedException {
      var _ = process.destroyForcibly().waitFor();
    }

    /// Starts it again on the port that it had.
    void restart() throws IOException {
      process = process(address.substring(address.lastIndexOf(':') + 1));
      assertThat(address(process)).isEqualTo(address);
    }

    private Process process(String port) throws IOException {
      var command = new ArrayList<String>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.add(StudioServer.class.getName());
      command.add(folder.resolve("store.db").toString());
      command.add(folder.resolve("report.rag").toString());
      command.add(port);
      command.addAll(more);
      return new ProcessBuilder(command).redirectErrorStream(true).start();
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
