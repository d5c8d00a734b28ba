package dev.superstep.cli.screen;

import dev.superstep.cli.screen.ApprovalView.Quote;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Shows control sequences in every field of a question, on the terminal of its process, and then
/// tells whether any key came.
final class SequencesProgram {
  private static final int WIDTH = 78;

  private SequencesProgram() {}

  /// @param arguments the file with the sequences
  public static void main(String[] arguments) throws IOException {
    var sequences = sequences(Path.of(arguments[0]));
    try (var device = new JlineDevice()) {
      var painter = new Painter(device, Painter.Looks.COLORS);
      device.enter();
      for (var sequence : sequences) {
        for (var field : fields(sequence)) painter.print(field);
      }
      var keys = new KeyReader(device);
      int came = 0;
      for (int i = 0; i < 10; i++) {
        if (keys.poll(java.time.Duration.ofMillis(50)) != null) came++;
      }
      painter.print(ScreenLine.wrapped("keys that came: " + came, Style.PLAIN, WIDTH));
      device.leave();
    }
    try (var screen = Screen.on(new JlineDevice(), Painter.Looks.COLORS)) {
      screen.ask(view(String.join("", sequences)));
    }
  }

  /// The sequences of a file, with their escapes resolved.
  static List<String> sequences(Path file) throws IOException {
    var all = new ArrayList<String>();
    for (var line : Files.readAllLines(file)) {
      var text = line.replace("\\e", "\u001b").replace("\\a", "\u0007").replace("\\r", "\r");
      text = text.replace("\\b", "\b").replace("\\x9b", "\u009b").replace("\\x9d", "\u009d");
      text = text.replace("\\x9c", "\u009c").replace("\\x90", "\u0090").replace("\\x0e", "\u000e");
      text = text.replace("\\x1a", "\u001a").replace("\\u202e", "\u202e");
      text = text.replace("\\u2066", "\u2066").replace("\\u2028", "\u2028").replace("\\\\", "\\");
      all.add(text);
    }
    return all;
  }

  /// A text in each of the eight kinds of places where text by others is shown.
  static List<List<ScreenLine>> fields(String text) {
    var view = view("a" + text + "z");
    var fields = new ArrayList<List<ScreenLine>>();
    fields.add(ScreenLine.foreign(view.script(), "| ", Style.PLAIN, WIDTH));
    fields.add(ScreenLine.foreign(view.prose().text(), "~ ", Style.FAINT, WIDTH));
    fields.add(ScreenLine.foreign(view.facts().getFirst().quoted(), "    | ", Style.PLAIN, WIDTH));
    fields.add(ScreenLine.wrapped(view.warnings().getFirst(), Style.WARNING, WIDTH));
    fields.add(ScreenLine.foreign(view.offers().always().rule(), "| ", Style.PLAIN, WIDTH));
    fields.add(ScreenLine.wrapped(view.findings().getFirst().text(), Style.DANGER, WIDTH));
    var editor = new LineEditor(text, List.of());
    fields.add(editor.lines("name" + text + " $ ", WIDTH));
    fields.add(ScreenLine.typed(text, " 1. ", Style.PLAIN, WIDTH));
    return fields;
  }

  private static ApprovalView view(String text) {
    var always = new ApprovalView.Always(text, text, List.of(text), List.of());
    return new ApprovalView(
        text,
        new ApprovalView.Head(new ApprovalView.Step("Step 1 of 1", text), 1, "high", text),
        List.of(text),
        List.of(new Quote(text, text, Style.DANGER)),
        List.of(new Quote(text, text, Style.PLAIN)),
        new ApprovalView.Prose(text, false),
        new ApprovalView.Offers(text, true, text, always));
  }
}
