package dev.superstep.terminal.risk;

import dev.superstep.terminal.shell.ShellScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// The lists of commands and sentences among the resources, and the place where they are judged.
final class CommandLists {
  static final RiskContext CONTEXT =
      RiskContext.of(Path.of("/home/me/project"), Path.of("/home/me/project"), Path.of("/home/me"));

  private CommandLists() {}

  static Assessment assess(String command) {
    return RiskAssessor.standard().assess(ShellScript.parse(command), CONTEXT);
  }

  static List<String> read(String name) {
    try (var in = CommandLists.class.getResourceAsStream(name)) {
      if (in == null) throw new IllegalStateException("no list " + name);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("# "))
          .map(line -> line.replace('⏎', '\n'))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
