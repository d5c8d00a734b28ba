package dev.superstep.cli.repl;

import dev.superstep.agent.run.Review;
import dev.superstep.cli.screen.BlockDialog;
import dev.superstep.cli.screen.Key;
import dev.superstep.cli.screen.KeyChoice;
import dev.superstep.cli.screen.Screen;
import dev.superstep.cli.screen.ScreenLine;
import dev.superstep.cli.screen.Style;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/// A person at a screen: keys that came before a question could be read answer nothing. One thread
/// at a time.
record KeyPerson(Screen screen) implements SessionPerson {
  private static final char APPROVE = 'a';
  private static final List<KeyChoice> CHOICES =
      List.of(
          new KeyChoice(APPROVE, "approve"),
          new KeyChoice('r', "reject"),
          new KeyChoice('l', "later"));

  @Override
  public Optional<Review.Decision> decide(Review.Action call) {
    IntFunction<List<ScreenLine>> body =
        width -> {
          var lines = new ArrayList<ScreenLine>();
          var why = "The cell calls " + call.name() + ". " + call.description().orElse("");
          lines.addAll(ScreenLine.wrapped(why, Style.STRONG, width));
          lines.addAll(ScreenLine.foreign(call.args().text(), "| ", Style.PLAIN, width));
          return lines;
        };
    try {
      var key = screen.choose(new BlockDialog.Content(body, CHOICES, APPROVE));
      if (!(key instanceof Key.Typed(int c))) return Optional.empty();
      if (c == APPROVE) return Optional.of(new Review.Decision.Approve());
      return c == 'r'
          ? Optional.of(new Review.Decision.Reject(Optional.empty()))
          : Optional.empty();
    } catch (IOException e) {
      throw gone(e);
    }
  }

  @Override
  public Optional<String> answer(String question, String form) {
    IntFunction<List<ScreenLine>> body =
        width -> ScreenLine.foreign(question, "~ ", Style.PLAIN, width);
    try {
      var content = new BlockDialog.Content(body, List.of(), (char) 0);
      return screen.type(content, "Answer (" + form + "): ").filter(text -> !text.isBlank());
    } catch (IOException e) {
      throw gone(e);
    }
  }

  private static UncheckedIOException gone(IOException e) {
    return new UncheckedIOException("The terminal cannot be used: " + e.getMessage(), e);
  }
}
