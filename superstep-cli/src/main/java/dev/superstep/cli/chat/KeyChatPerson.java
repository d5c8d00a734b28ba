package dev.superstep.cli.chat;

import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.cli.screen.BlockDialog;
import dev.superstep.cli.screen.Key;
import dev.superstep.cli.screen.KeyChoice;
import dev.superstep.cli.screen.Screen;
import dev.superstep.cli.screen.ScreenLine;
import dev.superstep.cli.screen.Style;
import dev.superstep.cli.view.AnswerText;
import dev.superstep.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/// A person at a screen: keys that came before a question could be read answer nothing. One thread
/// at a time.
record KeyChatPerson(Screen screen) implements ChatPerson {
  private static final char APPROVE = 'a';
  private static final char REJECT = 'r';
  private static final List<KeyChoice> CHOICES =
      List.of(
          new KeyChoice(APPROVE, "approve"),
          new KeyChoice(REJECT, "reject"),
          new KeyChoice('l', "later"));

  @Override
  public Optional<Review.Decision> decide(Review.Action call) {
    var why = "The agent calls " + call.name() + ". " + call.description().orElse("");
    IntFunction<List<ScreenLine>> body =
        width -> {
          var lines = new ArrayList<>(ScreenLine.wrapped(why, Style.STRONG, width));
          lines.addAll(ScreenLine.foreign(call.args().text(), "| ", Style.PLAIN, width));
          return lines;
        };
    try {
      var key = screen.choose(new BlockDialog.Content(body, CHOICES, APPROVE));
      if (!(key instanceof Key.Typed(int c))) return Optional.empty();
      if (c == APPROVE) return Optional.of(new Review.Decision.Approve());
      if (c != REJECT) return Optional.empty();
      return Optional.of(new Review.Decision.Reject(reason()));
    } catch (IOException e) {
      throw gone(e);
    }
  }

  private Optional<String> reason() throws IOException {
    var none = new BlockDialog.Content(_ -> List.of(), List.of(), (char) 0);
    return screen
        .type(none, "Why not? (Enter for no reason): ")
        .map(String::strip)
        .filter(text -> !text.isEmpty());
  }

  @Override
  public Optional<Json> answer(Interrupt question, String words) {
    IntFunction<List<ScreenLine>> body =
        width -> ScreenLine.foreign(words, "| ", Style.PLAIN, width);
    try {
      var content = new BlockDialog.Content(body, List.of(), (char) 0);
      return screen
          .type(content, "Answer (" + question.answerType() + "): ")
          .filter(text -> !text.isBlank())
          .map(text -> AnswerText.read(question, text));
    } catch (IOException e) {
      throw gone(e);
    }
  }

  private static UncheckedIOException gone(IOException e) {
    return new UncheckedIOException("The terminal cannot be used: " + e.getMessage(), e);
  }
}
