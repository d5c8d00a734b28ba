package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page of the guide with every command: what `--help` prints, which picocli makes of the
/// commands themselves. `-Dsuperstep.golden=write` writes the page anew.
class CommandsPageTest {
  private static final Path PAGE = Path.of("../docs/guide/reference/commands.md");
  private static final Pattern COMMAND = Pattern.compile("  ([a-z]+)  .*");

  @TempDir Path temp;

  @Test
  void the_page_has_every_command_as_its_help_says() throws IOException {
    var desk = new Desk(temp);
    var text = new StringBuilder(Files.readString(PAGE));
    text.setLength(text.indexOf("\n## "));
    var commands = new ArrayList<String>();
    add(desk, List.of(), commands, text);
    assertThat(commands).contains("superstep run", "superstep threads show").hasSizeGreaterThan(40);
    if ("write".equals(System.getProperty("superstep.golden"))) {
      Files.writeString(PAGE, text);
    }
    assertThat(Files.readString(PAGE))
        .as("-Dsuperstep.golden=write writes it")
        .isEqualTo(text.toString());
  }

  /// Adds a command and those below it.
  private static void add(
      Desk desk, List<String> words, List<String> commands, StringBuilder text) {
    var arguments = new ArrayList<>(words);
    arguments.add("--help");
    var help = desk.run(arguments.toArray(String[]::new));
    assertThat(help.exit()).as("%s", arguments).isZero();
    var name = String.join(" ", plus("superstep", words));
    commands.add(name);
    text.append("\n## ").append(name).append("\n\n```text\n");
    text.append(help.out().strip()).append("\n```\n");
    for (var inner : inner(help.out())) {
      var below = new ArrayList<>(words);
      below.add(inner);
      add(desk, below, commands, text);
    }
  }

  /// The names below `Commands:`, up to the next blank line.
  private static List<String> inner(String help) {
    var names = new ArrayList<String>();
    boolean isWithin = false;
    for (var line : help.lines().toList()) {
      if (line.isBlank()) isWithin = false;
      var found = COMMAND.matcher(line);
      if (isWithin && found.matches()) names.add(found.group(1));
      if (line.equals("Commands:")) isWithin = true;
    }
    return names;
  }

  private static List<String> plus(String first, List<String> more) {
    var all = new ArrayList<String>();
    all.add(first);
    all.addAll(more);
    return all;
  }
}
