package dev.superstep.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The completions and the manual page, read by shells and by `man`.
@Tag("long")
class ReleasePagesTest {
  @TempDir static Path temp;

  @BeforeAll
  static void print_all() throws Exception {
    for (var kind : new String[] {"bash", "zsh", "man"}) {
      var printed =
          Commands.in(Commands.root()).run("./superstep", "completion", kind).well().text();
      Files.writeString(temp.resolve(kind), printed.substring(printed.indexOf(first(kind))));
    }
  }

  /// The launcher may have said before that it builds.
  private static String first(String kind) {
    return switch (kind) {
      case "bash" -> "#!/usr/bin/env bash";
      case "zsh" -> "#compdef";
      default -> ".TH";
    };
  }

  private static String completed(String words, int last) throws Exception {
    var script =
        "source ./bash; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_superstep 2>/dev/null; echo"
            + " \"${COMPREPLY[*]}\"";
    return Commands.in(temp).run("bash", "-c", script.formatted(words, last)).well().text();
  }

  @Test
  void bash_completes_commands_and_their_options() throws Exception {
    Commands.need("bash");

    assertThat(completed("superstep thr", 1)).contains("threads");
    assertThat(completed("superstep threads h", 2)).contains("history");
    assertThat(completed("superstep run --mo", 2)).contains("--model");
    assertThat(completed("superstep run --nope", 2)).doesNotContain("--");
  }

  @Test
  void zsh_reads_its_completions() throws Exception {
    Commands.need("zsh");

    Commands.in(temp).run("zsh", "-n", "zsh").well();
    var script =
        "autoload -U compinit && compinit -u -d "
            + temp.resolve("dump")
            + " && source ./zsh && print -r -- $_comps[superstep]";
    assertThat(Commands.in(temp).run("zsh", "-f", "-c", script).well().text())
        .contains("superstep");
  }

  @Test
  void the_manual_page_has_no_fault() throws Exception {
    Commands.need("groff");

    var warnings =
        Commands.in(temp).run("groff", "-man", "-ww", "-z", "-Tutf8", "man").well().text();
    assertThat(warnings).isEmpty();
  }

  @Test
  void mandoc_finds_no_error_in_the_manual_page() throws Exception {
    Commands.need("mandoc");

    Commands.in(temp).run("mandoc", "-Tlint", "-Werror", "man").well();
  }

  @Test
  void man_shows_the_page_with_all_commands() throws Exception {
    Commands.need("man");

    var shown =
        Commands.in(temp)
            .with("MANWIDTH", "80")
            .run("man", "--pager=cat", "-l", temp.resolve("man").toString())
            .well()
            .text();
    assertThat(shown).contains("superstep threads history", "--model", "EXIT STATUS");
  }
}
