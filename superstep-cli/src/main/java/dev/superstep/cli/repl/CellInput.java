package dev.superstep.cli.repl;

import dev.superstep.cli.host.Terminal;
import dev.superstep.cli.screen.CellPrompt;
import dev.superstep.repl.TypedText;
import java.util.Optional;

/// The source of cells and commands.
interface CellInput {
  /// The next one; empty at the end.
  Optional<String> next();

  /// Cells that come without a person: each whole statement is one, and nothing is printed.
  static CellInput piped(Terminal terminal) {
    return new Statements(terminal);
  }

  /// A person at a terminal that only adds lines.
  static CellInput plain(Terminal terminal, ReplLanguage language) {
    return () -> {
      var text = new StringBuilder();
      while (true) {
        terminal.out().print(text.isEmpty() ? ">>> " : "... ");
        terminal.out().flush();
        var line = terminal.readLine();
        if (line.isEmpty()) return text.isEmpty() ? Optional.empty() : Optional.of(text.toString());
        text.append(text.isEmpty() ? "" : "\n").append(line.get());
        if (text.toString().isBlank()) text.setLength(0);
        else if (!language.isUnfinished(text.toString())) return Optional.of(text.toString());
      }
    };
  }

  /// A person at a prompt with colours and completion.
  static CellInput prompt(CellPrompt prompt) {
    return () -> {
      while (true) {
        var entry = prompt.read(">>> ");
        if (entry.isClosed()) return Optional.empty();
        if (entry.text() != null && !entry.text().isBlank()) return Optional.of(entry.text());
      }
    };
  }

  /// Cuts lines into statements. A statement with blocks is whole when the next line is there.
  final class Statements implements CellInput {
    private final Terminal terminal;
    private Optional<String> ahead = Optional.empty();

    private Statements(Terminal terminal) {
      this.terminal = terminal;
    }

    private Optional<String> line() {
      var known = ahead;
      ahead = Optional.empty();
      return known.isPresent() ? known : terminal.readLine();
    }

    @Override
    public Optional<String> next() {
      var text = new StringBuilder();
      while (true) {
        var line = line();
        if (line.isEmpty()) return text.isEmpty() ? Optional.empty() : Optional.of(text.toString());
        boolean isNext = !text.isEmpty() && TypedText.of(text.toString()).endsBefore(line.get());
        if (isNext) {
          ahead = line;
          return Optional.of(text.toString());
        }
        if (text.isEmpty() && (line.get().isBlank() || line.get().startsWith("#"))) continue;
        text.append(text.isEmpty() ? "" : "\n").append(line.get());
        if (TypedText.of(text.toString()).isStatement()) return Optional.of(text.toString());
      }
    }
  }
}
