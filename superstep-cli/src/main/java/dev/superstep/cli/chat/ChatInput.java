package dev.superstep.cli.chat;

import dev.superstep.cli.host.Terminal;
import dev.superstep.cli.screen.LineEditor;
import dev.superstep.cli.screen.Screen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Where lines come from.
interface ChatInput {
  /// The next line; see [LineEditor.Entry].
  LineEditor.Entry next() throws IOException;

  /// Lines that a person types at a screen.
  static ChatInput typed(Screen screen) {
    List<String> history = new ArrayList<>();
    return () -> {
      var entry = screen.entry("> ", history);
      var text = entry.text();
      if (text != null && !text.isBlank()) history.add(text);
      return entry;
    };
  }

  /// Lines of standard input.
  ///
  /// @param prompt stands before each; empty where nobody sits
  static ChatInput lines(Terminal terminal, String prompt) {
    return () -> {
      if (!prompt.isEmpty()) {
        terminal.out().print(prompt);
        terminal.out().flush();
      }
      var line = terminal.readLine();
      return new LineEditor.Entry(line.orElse(null), line.isEmpty());
    };
  }
}
