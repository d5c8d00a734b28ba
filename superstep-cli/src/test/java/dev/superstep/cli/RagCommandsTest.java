package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `superstep rag`: what its commands print, and their exit codes.
class RagCommandsTest {
  private static final String DESK =
      """
      // A desk.
      graph desk {
        input { claim text }   output { verdict text }
        channel verdict overwrite
        defaults { node { timeout 20s } }
        start read
        node read { model "small" prompt "Read {claim}." next weigh }
        node weigh { kind router router "by_size" routes { small -> settle big -> ask } }
        node ask { kind interrupt prompt "Pay?" options ["yes", "no"]
          routes { yes -> settle no -> END } }
        node settle { kind subgraph graph "payment" }
      }
      graph payment {
        input { claim text }
        channel verdict overwrite
        start pay
        node pay { model "small" prompt "Pay {claim}." into verdict }
      }
      """;

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    desk.write("desk.rag", DESK);
  }

  private Desk.Said transcript(StringBuilder all, int exit, String... arguments) {
    var said = desk.run(arguments);
    var line = String.join(" ", arguments);
    assertThat(said.exit()).as(line + "\n" + said.out() + said.err()).isEqualTo(exit);
    assertThat(said.out() + said.err()).as(line).doesNotContain("java.", "Exception", "dev.super");
    all.append("$ superstep ").append(line).append('\n');
    all.append(desk.neutral(said.out())).append(desk.neutral(said.err()));
    all.append("=> ").append(exit).append("\n\n");
    return said;
  }

  @Test
  void every_rag_command_has_help_with_examples() throws Exception {
    var all = new StringBuilder();
    transcript(all, 0, "rag", "--help");
    for (var command : new String[] {"check", "format", "diff", "print", "explain", "lsp"}) {
      transcript(all, 0, "rag", command, "--help");
    }
    Golden.check("help-rag.txt", all.toString());
  }

  @Test
  @Tag("R37")
  void a_file_that_stands_alone_is_checked_for_form_with_one_note() throws Exception {
    var all = new StringBuilder();
    transcript(all, 0, "rag", "check", "desk.rag");
    transcript(all, 0, "rag", "check", "desk.rag", "--json");
    desk.write("wrong.rag", DESK.replace("settle big", "setle big").replace("20s", "20"));
    transcript(all, ExitCodes.USAGE, "rag", "check", "wrong.rag");
    transcript(all, ExitCodes.USAGE, "rag", "check", "wrong.rag", "--json");
    transcript(all, ExitCodes.USAGE, "rag", "check", "desk.rag", "wrong.rag", "--json");
    Golden.check("rag-check.txt", all.toString());
  }

  @Test
  void check_and_explain_tell_what_a_run_can_take_or_what_leaves_it_unbounded() throws Exception {
    desk.write("bounds/prompts/find.txt", "Find {claim}.");
    desk.write(
        "bounds/superstep.toml",
        """
        [models]
        small = "openai://gpt-5.2"
        [prompts]
        find = "prompts/find.txt"
        [tools]
        root = "prompts"
        """);
    var text =
        """
        graph search {
          input { claim text }
          channel found overwrite
          start look
          node look { kind agent model "small" prompt template "find" tools ["read_file"]
            into found }
        }
        """;
    desk.write("bounds/free.rag", text);
    var limits = "limits { model_calls: 7 tool_calls: 5 tokens: 9000 cost: 0.25 }";
    desk.write("bounds/held.rag", text.replace("start look", "start look " + limits));
    var all = new StringBuilder();
    transcript(all, 0, "rag", "check", "bounds/free.rag");
    transcript(all, 0, "rag", "check", "bounds/held.rag", "bounds/free.rag", "--json");
    transcript(all, 0, "rag", "explain", "bounds/held.rag", "look");
    transcript(all, 0, "rag", "explain", "bounds/free.rag", "look", "--json");
    desk.write("bounds/superstep.toml", "[modles]\n");
    transcript(all, 0, "rag", "explain", "bounds/held.rag", "look");
    Golden.check("rag-bounds.txt", all.toString());
  }

  @Test
  void check_and_explain_say_when_a_run_would_be_refused_by_the_limits_of_its_folder()
      throws Exception {
    var toml = "[models]\nsmall = \"openai://gpt-5.2\"\n[limits]\nmodel_calls = %d\n%s";
    desk.write(
        "held/desk.rag",
        """
        graph desk {
          input { claim text }
          channel verdict overwrite
          start read
          node read { model "small" prompt "Read {claim}." next pay }
          node pay { model "small" prompt "Pay {claim}." into verdict }
        }
        """);
    desk.write("held/superstep.toml", toml.formatted(1, ""));
    var all = new StringBuilder();
    transcript(all, ExitCodes.BUDGET, "rag", "check", "held/desk.rag");
    transcript(all, ExitCodes.BUDGET, "rag", "check", "held/desk.rag", "--json");
    transcript(all, ExitCodes.BUDGET, "rag", "explain", "held/desk.rag", "pay");
    desk.write("held/superstep.toml", toml.formatted(2, "tokens = 9000\n"));
    transcript(all, 0, "rag", "check", "held/desk.rag");
    desk.write("held/superstep.toml", toml.formatted(2, ""));
    transcript(all, 0, "rag", "check", "held/desk.rag");
    transcript(all, 0, "rag", "explain", "held/desk.rag", "pay", "--json");
    desk.write("held/superstep.toml", "[limits]\nmodel_calls = 1\n");
    transcript(all, ExitCodes.BUDGET, "rag", "check", "held/desk.rag");
    Golden.check("rag-limits.txt", all.toString());
  }

  @Test
  void bad_files_get_clear_errors() throws Exception {
    Files.write(
        desk.folder().resolve("latin.rag"), "graph é {}".getBytes(StandardCharsets.ISO_8859_1));
    desk.write("long.rag", "// " + "x".repeat(300_000));
    desk.write("huge.rag", "// " + "x".repeat(1_100_000));
    desk.write("empty.rag", "");
    Files.createSymbolicLink(desk.folder().resolve("loop.rag"), Path.of("loop.rag"));
    var all = new StringBuilder();
    for (var file : new String[] {"none.rag", "letters", "latin.rag", "huge.rag", "loop.rag"}) {
      transcript(all, ExitCodes.USAGE, "rag", "check", file);
    }
    transcript(all, ExitCodes.USAGE, "rag", "check", "empty.rag");
    var said = desk.run("rag", "check", "long.rag");
    assertThat(said.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.out()).contains("E-rag-source-too-long");
    transcript(all, ExitCodes.USAGE, "rag", "check", "none.rag", "--json");
    transcript(all, ExitCodes.USAGE, "rag", "format", "none.rag");
    transcript(all, ExitCodes.USAGE, "rag", "diff", "none.rag", "desk.rag");
    transcript(all, ExitCodes.USAGE, "rag", "explain", "none.rag", "pay");
    transcript(all, ExitCodes.USAGE, "rag", "print", "home");
    transcript(all, ExitCodes.USAGE, "rag");
    transcript(all, ExitCodes.USAGE, "rag", "chekc");
    transcript(all, ExitCodes.USAGE, "rag", "check");
    Golden.check("rag-files.txt", all.toString());
  }

  @Test
  @Tag("R36")
  void format_writes_in_place_once_and_keeps_permissions() throws Exception {
    var file = desk.folder().resolve("desk.rag");
    var rights = PosixFilePermissions.fromString("rw-r-----");
    Files.setPosixFilePermissions(file, rights);
    var link = Files.createSymbolicLink(desk.folder().resolve("link.rag"), Path.of("desk.rag"));
    var all = new StringBuilder();
    transcript(all, ExitCodes.FAILED, "rag", "format", "--check", "desk.rag");
    assertThat(Files.readString(file)).isEqualTo(DESK);
    transcript(all, 0, "rag", "format", "--json", "link.rag");
    transcript(all, 0, "rag", "format", "desk.rag");
    transcript(all, 0, "rag", "format", "--check", "desk.rag");
    all.append(Files.readString(file)).append('\n');
    desk.write("broken.rag", "graph x { node a { kind } ");
    transcript(all, ExitCodes.USAGE, "rag", "format", "broken.rag", "desk.rag");
    assertThat(desk.folder().resolve("broken.rag")).hasContent("graph x { node a { kind } ");
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(rights);
    assertThat(link).isSymbolicLink();
    try (var files = Files.list(desk.folder())) {
      assertThat(files.map(p -> p.getFileName().toString())).noneMatch(n -> n.startsWith("."));
    }
    Golden.check("rag-format.txt", all.toString());
  }

  @Test
  @Tag("R35")
  void diff_says_first_what_the_new_version_may_do() throws Exception {
    desk.write(
        "new.rag",
        DESK.replace("\"small\" prompt \"Read", "\"large\" prompt \"Peruse")
            + "graph extra { start a node a { model \"small\" prompt \"x\" } }\n");
    desk.write("laid_out.rag", DESK);
    assertThat(desk.run("rag", "format", "laid_out.rag").exit()).isZero();
    var all = new StringBuilder();
    transcript(all, 0, "rag", "diff", "desk.rag", "laid_out.rag", "--fail-if-wider");
    transcript(all, 0, "rag", "diff", "desk.rag", "new.rag");
    transcript(all, 0, "rag", "diff", "desk.rag", "new.rag", "--redact");
    transcript(
        all, ExitCodes.FAILED, "rag", "diff", "desk.rag", "new.rag", "--fail-if-wider", "--json");
    transcript(all, 0, "rag", "diff", "new.rag", "desk.rag");
    Golden.check("rag-diff.txt", all.toString());
  }

  @Test
  void explain_says_what_a_node_does_and_what_is_around_it() throws Exception {
    var all = new StringBuilder();
    transcript(all, 0, "rag", "explain", "desk.rag", "weigh");
    transcript(all, 0, "rag", "explain", "desk.rag", "settle");
    transcript(all, 0, "rag", "explain", "desk.rag", "pay", "--graph", "payment", "--json");
    transcript(all, ExitCodes.USAGE, "rag", "explain", "desk.rag", "setle");
    transcript(all, ExitCodes.USAGE, "rag", "explain", "desk.rag", "pay", "--graph", "payments");
    desk.write(
        "two.rag",
        "graph a { start x node x { model \"m\" prompt \"p\" } }\n"
            + "graph b { start x node x { model \"m\" prompt \"p\" } }\n");
    transcript(all, ExitCodes.USAGE, "rag", "explain", "two.rag", "x");
    Golden.check("rag-explain.txt", all.toString());
  }

  @Test
  void a_graph_from_java_is_printed_and_what_has_no_name_is_said() throws Exception {
    var all = new StringBuilder();
    transcript(all, 0, "rag", "print", "letters");
    transcript(all, 0, "rag", "print", "letters", "--names", "letters", "--json");
    transcript(all, ExitCodes.USAGE, "rag", "print", "letters", "--names", "No Name");
    var text = desk.run("rag", "print", "letters", "--names", "letters").out();
    desk.write("letters.rag", text);
    transcript(all, 0, "rag", "check", "letters.rag");
    desk.write("texts/desk.rag", DESK);
    transcript(all, 0, "rag", "print", "texts");
    Golden.check("rag-print.txt", all.toString());
  }
}
