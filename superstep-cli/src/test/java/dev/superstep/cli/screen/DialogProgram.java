package dev.superstep.cli.screen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Asks for an approval on the terminal of its process, for tests that look at a real one.
final class DialogProgram {
  private DialogProgram() {}

  /// @param arguments a file with the command, and what has to be typed, if anything
  public static void main(String[] arguments) throws IOException {
    var script = Files.readString(Path.of(arguments[0]));
    var toType = arguments.length > 1 ? arguments[1] : "";
    var looks = System.getenv("NO_COLOR") == null ? Painter.Looks.COLORS : Painter.Looks.NO_COLORS;
    if (System.getenv("PLAIN") != null) looks = Painter.Looks.PLAIN;
    try (var screen = Screen.on(new JlineDevice(), looks)) {
      screen.print("ready", Style.PLAIN);
      if (System.getenv("EARLY") != null) System.in.read();
      var answer = screen.ask(ApprovalDialogTest.view(script, toType));
      screen.printForeign("answer: " + answer, "", Style.PLAIN);
    }
  }
}
