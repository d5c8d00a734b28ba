package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.screen.Pane;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `superstep repl` with a person at a terminal, seen through tmux.
@Timeout(120)
class ReplPaneTest {
  private static final String ALLOW =
      """
      [models]
      small = "scripted://small.json"

      [tools]
      root = "notes"
      write = true

      [limits]
      operations = 1000000000
      """;

  @TempDir Path temp;
  private Desk desk;

  @BeforeAll
  static void look_for_tmux() {
    Pane.assumeTmux();
  }

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    desk.write("work/session.toml", ALLOW).write("work/notes/old.txt", "");
    desk.write("work/letters.txt", "pay 1000\nhello\npay 2000\n");
    desk.write(
        "work/small.json",
        """
        {"replies": [{"when": "1000", "text": "Rent."}, {"when": "2000", "text": "A car."}]}
        """);
  }

  private Pane open() throws Exception {
    var variables = new HashMap<String, String>();
    variables.put("HOME", desk.folder().resolve("home").toString());
    variables.put("XDG_CONFIG_HOME", desk.folder().resolve("home").toString());
    variables.put("PATH", System.getenv("PATH"));
    var digest =
        MessageDigest.getInstance("SHA-256").digest(ALLOW.getBytes(StandardCharsets.UTF_8));
    var words =
        desk.words(
            "repl",
            "--allow",
            "session.toml",
            "--trust",
            HexFormat.of().formatHex(digest),
            "--context",
            "letters.txt");
    return Pane.open(desk.folder().resolve("work"), new Pane.Size(90, 40), variables, words);
  }

  private static String prompts(Pane pane) {
    return pane.await(screen -> screen.endsWith("\n>>>\n"), "prompts");
  }

  private static void enters(Pane pane, String text) {
    pane.writes(">>> ", text).keys("Enter");
  }

  @Test
  @Tag("S1")
  void a_person_types_cells_of_several_lines_with_colours_and_completion() throws Exception {
    try (var pane = open()) {
      prompts(pane);
      pane.writes(">>> ", "hi");
      pane.keys("BSpace", "BSpace");
      enters(pane, "hits = context.grep(\"pay\")");
      pane.await("hits: list, 2");
      pane.writes(">>> ", "for hit in hits:").keys("Enter");
      pane.await(s -> s.endsWith("...\n"), "goes on");
      pane.keys("Tab");
      pane.types("print(llm_b");
      pane.keys("Tab");
      pane.await("    print(llm_batch");
      pane.keys("C-u");
      pane.keys("Tab");
      pane.writes("...     ", "print(llm_query(\"What is it? \" + hit[\"line\"]))");
      var colors = pane.colors();
      assertThat(colors).contains("\u001b[35mfor\u001b[39m hit", "\u001b[36mllm_query\u001b[39m");
      assertThat(colors).contains("\u001b[32m\"What is it? \"\u001b[39m");
      pane.keys("Enter").await(s -> s.endsWith("...\n"), "goes on");
      pane.keys("Enter");
      pane.await("2 model calls");
      prompts(pane);
      enters(pane, "tool(\"write_file\", path=\"sum.txt\", text=str(len(hits)))");
      pane.await(Pane::isAsking, "asks for an approval");
      pane.keys("a");
      pane.await("'Made sum.txt.'");
      prompts(pane);
      enters(pane, "hits[7]");
      pane.await("IndexError");
      prompts(pane);
      enters(pane, "show vars");
      pane.await("hit: dict, 5\nhits: list, 2\n");
      var screen = prompts(pane);
      Golden.check(
          "screens/repl-session.txt",
          screen.replaceAll("thread repl-\\S+;", "thread repl-20261128-0715-k3f9;"));
      assertThat(desk.folder().resolve("work/notes/sum.txt")).hasContent("2");
      pane.keys("C-d");
      pane.awaitEnd();
    }
  }

  @Test
  void ctrl_c_stops_a_cell_and_not_the_session() throws Exception {
    try (var pane = open()) {
      prompts(pane);
      enters(pane, "x = 5");
      pane.await("x: int");
      prompts(pane);
      pane.writes(">>> ", "x = 6; [i for i in range(10 ** 9) if i < 0]").keys("Enter");
      pane.await(s -> s.endsWith("if i < 0]\n"), "runs");
      pane.keys("C-c");
      pane.await("stopped; variables are as before the cell");
      prompts(pane);
      pane.writes(">>> ", "(never");
      pane.keys("C-c");
      prompts(pane);
      pane.keys("Up", "Up");
      pane.await(s -> s.endsWith(">>> x = 5\n"), "remembers");
      pane.keys("C-u");
      prompts(pane);
      enters(pane, "x + 1");
      pane.await(">>> x + 1\n6\n");
      prompts(pane);
      pane.keys("C-d");
      pane.awaitEnd();
    }
  }
}
