package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.AllowFile;
import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.risk.RiskAxis;
import dev.superstep.terminal.risk.RiskLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// The guide shows the screens that tests have recorded, and every value that there is.
class TerminalGuideTest {
  private static final Path GUIDE = Path.of("../docs/guide");
  private static final Path SCREENS = Path.of("src/test/resources/golden/screens");

  @Test
  void the_tutorial_shows_recorded_screens() throws IOException {
    var page = Files.readString(GUIDE.resolve("agents/a-terminal-with-approvals.md"));
    for (var name : new String[] {"do-plan.txt", "do-command.txt", "shell-status.txt"}) {
      assertThat(page).contains("\n" + Files.readString(SCREENS.resolve(name)));
    }
  }

  @Test
  void the_chapter_on_sessions_shows_a_recorded_one() throws IOException {
    var page = Files.readString(GUIDE.resolve("agents/agents-that-write-code.md"));
    assertThat(page).contains("\n" + Files.readString(SCREENS.resolve("repl-session.txt")));
  }

  @Test
  void the_reference_of_sessions_lists_every_limit() throws IOException {
    var page = Files.readString(GUIDE.resolve("reference/ragsh.md"));
    for (var key : AllowFile.LIMITS) assertThat(page).contains("`" + key + "` ");
  }

  @Test
  void the_reference_lists_every_axis_level_and_tier() throws IOException {
    var page = Files.readString(GUIDE.resolve("reference/terminal.md"));
    for (var axis : RiskAxis.values()) assertThat(page).contains("| `" + axis.label() + "` |");
    for (var level : RiskLevel.values()) {
      assertThat(page).contains("| `" + level.name().toLowerCase(Locale.ROOT) + "` |");
    }
    for (var tier : Tier.values()) {
      assertThat(page).contains("| T" + tier.ordinal() + " `" + tier.name() + "` |");
    }
  }
}
