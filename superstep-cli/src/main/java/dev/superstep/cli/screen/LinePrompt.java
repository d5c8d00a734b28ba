package dev.superstep.cli.screen;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A prompt behind which a line is typed. One thread at a time.
final class LinePrompt {
  private final Painter painter;
  private final KeyReader keys;
  private final LineEditor editor;

  LinePrompt(Painter painter, KeyReader keys, LineEditor editor) {
    this.painter = painter;
    this.keys = keys;
    this.editor = editor;
  }

  /// Draws what is typed below a block, as much as fits of both.
  static void draw(Painter painter, List<ScreenLine> above, LineEditor editor, String prompt)
      throws IOException {
    int columns = painter.size().columns() - 1;
    var typed = editor.lines(prompt, columns);
    var cursor = editor.cursor(prompt, columns);
    var block = new ArrayList<>(above);
    block.addAll(typed);
    int shown = Math.min(painter.size().rows() - 1, block.size());
    int row = cursor.row() + shown - typed.size();
    painter.draw(
        block.subList(block.size() - shown, block.size()),
        new Painter.Cursor(Math.max(0, row), cursor.column()));
  }

  /// Reads a line; empty at the end of the input. Ctrl-C begins anew.
  Optional<String> read(String prompt) throws IOException {
    var entry = entry(prompt);
    if (entry.isClosed()) return Optional.empty();
    var text = entry.text();
    return Optional.of(text == null ? "" : text);
  }

  /// Reads a line, and tells Ctrl-C from an empty one.
  LineEditor.Entry entry(String prompt) throws IOException {
    while (true) {
      draw(painter, List.of(), editor, prompt);
      var key = keys.next();
      switch (key) {
        case Key.Named.ENTER -> {
          return new LineEditor.Entry(editor.text(), false);
        }
        case Key.Named.CLOSED -> {
          return new LineEditor.Entry(null, true);
        }
        case Key.Named.END_OF_TEXT -> {
          if (editor.text().isEmpty()) return new LineEditor.Entry(null, true);
        }
        case Key.Named.INTERRUPT -> {
          return new LineEditor.Entry(null, false);
        }
        case Key.Named.RESIZED -> painter.resized();
        case Key.Named _, Key.Pasted _, Key.Typed _ -> editor.press(key);
      }
    }
  }
}
