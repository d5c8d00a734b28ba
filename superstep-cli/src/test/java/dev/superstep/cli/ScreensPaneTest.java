package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.screen.CellText;
import dev.superstep.cli.screen.Pane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The screens of commands in terminals of three widths, seen through tmux.
@Timeout(180)
class ScreensPaneTest {
  private static final int ROWS = 170;
  private static final String RUN = "run";
  private static final Pattern PROGRESS = Pattern.compile("\\| \\d+ s \\| waits for");
  private static final Pattern ID = Pattern.compile("(?m)^\\d \\(([a-z0-9]{10})\\)");
  private static final String DIGIT = "(?:[0-9a-f](?:\\n *)?)";
  private static final Pattern UUID =
      Pattern.compile(
          DIGIT
              + "{8}"
              + ("-(?:\\n *)?" + DIGIT + "{4}").repeat(3)
              + "-(?:\\n *)?"
              + DIGIT
              + "{12}");

  @TempDir Path temp;
  private Desk desk;

  @BeforeAll
  static void look_for_tmux() {
    Pane.assumeTmux();
  }

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    desk.run("run", "letters", "--thread", "u", "--yes", "--model", Desk.SCRIPT);
    desk.letter("d.txt", "pay 3000: " + "a long story about a roof and the rain. ".repeat(30));
    desk.letter("e.txt", "price of 日本語 and 👍 and e\u0301");
    var said = desk.run("run", "letters", "--thread", "monday", "--model", Desk.SCRIPT);
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCodes.INTERRUPTED);
    desk.write("small/a.txt", "hello");
    var done =
        desk.run("run", "letters", "--input", "small", "--thread", "日本語", "--model", Desk.SCRIPT);
    assertThat(done.exit()).as(done.err()).isZero();
    desk.write(
        "cleaner/superstep.toml",
        "[program]\nclass = \"dev.superstep.cli.ToolsProgram\"\ninput = \"superstep.toml\"\n");
    desk.write("cleaner/target/classes/.keep", "");
    var risky = desk.run("run", "cleaner", "--thread", "risky", "--model", Desk.SCRIPT);
    assertThat(risky.exit()).as(risky.err()).isEqualTo(ExitCodes.INTERRUPTED);
  }

  private static Map<String, String> commands() {
    var all = new LinkedHashMap<String, String>();
    all.put("help", "--help");
    all.put("threads-list", "threads list");
    all.put("threads-show", "threads show monday");
    all.put("threads-show-risky", "threads show risky");
    all.put("history", "threads history u");
    all.put("models-list", "models list");
    all.put("doctor", "doctor");
    all.put(RUN, "run cleaner --thread now --model " + Desk.SCRIPT);
    all.put("error", "threads shwo monday");
    return all;
  }

  private Pane open(int columns) throws IOException {
    var variables = new HashMap<String, String>();
    variables.put("HOME", desk.folder().resolve("home").toString());
    variables.put("XDG_CONFIG_HOME", desk.folder().resolve("home").toString());
    variables.put("SUPERSTEP_CACHE", desk.folder().resolve("cache").toString());
    variables.put("PATH", "/usr/bin:/bin");
    variables.put("HOLD", "1");
    Files.write(desk.folder().resolve("commands.txt"), commands().values());
    return Pane.open(
        desk.folder(),
        new Pane.Size(columns, ROWS),
        variables,
        Pane.java(ScreensProgram.class, "commands.txt"));
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 80, 200})
  void screens_fit_the_terminal(int columns) throws IOException {
    try (var pane = open(columns)) {
      int number = 0;
      for (var name : commands().keySet()) {
        if (name.equals(RUN)) {
          var progress = pane.await(s -> PROGRESS.matcher(s).find(), "shows the time");
          var steady =
              progress.replaceAll("\\d+ s\\b", "N s").replaceAll("waits for .*", "waits ...");
          check(pane, "run-progress", columns, steady);
          pane.await("waits for model scr");
          pane.keys("Enter");
        }
        var screen = pane.await("[screen " + number++ + ", ");
        if (name.equals("doctor")) fits(screen, columns);
        else check(pane, name, columns, screen.replaceAll("(?m)^model \\|.*\n", ""));
        pane.keys("Enter");
      }
    }
  }

  private static void fits(String screen, int columns) {
    assertThat(screen.lines()).allMatch(line -> CellText.width(line) <= columns);
    assertThat(screen).containsIgnoringCase("finding").contains("verdict");
  }

  private static void check(Pane pane, String name, int columns, String screen) throws IOException {
    Golden.check("screens/" + name + "-" + columns + ".txt", neutral(screen, pane.history()));
  }

  /// A text that is equal on every machine.
  ///
  /// @param whole the text without the line breaks of the terminal
  private static String neutral(String screen, String whole) {
    var text = screen;
    for (var id : ID.matcher(whole).results().map(found -> found.group(1)).distinct().toList()) {
      var letters = id.chars().mapToObj(Character::toString).collect(Collectors.joining("(\n?)"));
      text = text.replaceAll(letters, "w$1y$2e$3r$4i$5o$6k$7g$8x$9c");
    }
    // Also one that goes on in the next line.
    return UUID.matcher(text).replaceAll(found -> found.group().replaceAll("[0-9a-f]", "0"));
  }
}
