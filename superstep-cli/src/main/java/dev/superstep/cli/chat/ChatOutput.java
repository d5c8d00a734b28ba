package dev.superstep.cli.chat;

import dev.superstep.cli.host.ForeignText;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.Terminal;
import dev.superstep.cli.screen.CellText;
import dev.superstep.cli.screen.ScreenLine;
import dev.superstep.cli.screen.Style;
import dev.superstep.cli.view.JsonOutput;
import dev.superstep.cli.view.Output;
import dev.superstep.cli.view.PlainOutput;
import dev.superstep.event.Event;
import dev.superstep.json.Json;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Shows a conversation. Where a person sits, answers appear as they are written, behind a bar;
/// piped, each whole answer goes to standard output and all else to standard error; as JSON, events
/// and answers are lines of standard output. One thread at a time.
final class ChatOutput {
  private static final int COLUMNS = 100;

  private final Terminal terminal;
  private final boolean isSeen;
  private final boolean isJson;
  private final Output output;
  private @Nullable ReplyText reply;
  private final StringBuilder shown = new StringBuilder();

  /// @param isSeen whether a person sits there
  ChatOutput(Terminal terminal, ChatRequest.Looks looks, boolean isSeen) {
    this.terminal = terminal;
    this.isSeen = isSeen;
    this.isJson = looks.events().json();
    this.output =
        isJson
            ? new JsonOutput(terminal, looks.events().redaction(), looks.debug())
            : new PlainOutput(terminal, looks.debug());
  }

  /// The answer of a turn, as a line of `--json`.
  ///
  /// @param outcome `answered`, `partial`, `waiting` or `cancelled`
  private record Turn(String type, String outcome, String text, String costs) {}

  Output output() {
    return output;
  }

  boolean isSeen() {
    return isSeen;
  }

  boolean isJson() {
    return isJson;
  }

  int columns() {
    return terminal.display().columns().orElse(COLUMNS);
  }

  /// Prints an event, if they are wanted.
  void event(Event event) {
    if (isJson) output.event(event);
  }

  /// Begins the text of another call of the model.
  void begin() {
    endText();
    shown.setLength(0);
  }

  /// Shows a piece of what the model says.
  void piece(String text) {
    if (!isSeen) return;
    if (reply == null) reply = new ReplyText(this::print, columns());
    reply.add(text);
    shown.append(text);
  }

  /// Declares the text so far void, since the model is asked again.
  void voided() {
    if (shown.isEmpty()) return;
    begin();
    say("(That is void; the model is asked again.)", Style.FAINT);
  }

  /// Ends a text that has been begun.
  void endText() {
    if (reply != null) reply.end();
    reply = null;
  }

  /// Shows the answer of a turn, unless it has been shown as it arrived.
  void answer(String outcome, String text, boolean isText, String costs) {
    boolean isShown = isText ? shown.toString().strip().equals(text.strip()) : !shown.isEmpty();
    endText();
    shown.setLength(0);
    if (isJson) {
      turn(outcome, text, costs);
    } else if (!isSeen) {
      print(SafeText.of(text).stripTrailing() + "\n");
    } else if (!isShown) {
      piece(text);
      endText();
      shown.setLength(0);
    }
  }

  /// Prints the end of a turn as JSON.
  void turn(String outcome, String text, String costs) {
    if (!isJson) return;
    print(Json.of(new Turn("turn", outcome, text, costs)).text() + "\n");
  }

  /// Says something about the conversation, with names by others in it.
  void say(String text, Style style) {
    endText();
    var safe = SafeText.line(text);
    if (!isSeen) {
      err(safe);
      return;
    }
    boolean isColored = terminal.display().isColored();
    for (var line : CellText.wrapped(safe, columns() - 1)) err(isColored ? style.of(line) : line);
  }

  /// Says a command to paste, which is not wrapped.
  void goOn(String command) {
    endText();
    output.notice("resume with: " + command);
  }

  /// Says something about what it runs on, and not within an answer.
  void notice(String text) {
    say("superstep: " + text, Style.FAINT);
  }

  /// A line about a tool, cut to the width of the terminal.
  void tool(String text) {
    endText();
    var safe = ForeignText.spelledOut(text.replace('\n', ' ').replace("\r", ""));
    var line = isSeen ? CellText.cut(safe, columns() - 1) : safe;
    say(line, Style.FAINT);
  }

  /// Shows a message from before behind a mark, at most some lines of it.
  void message(String mark, String text, int lines) {
    endText();
    var all = ScreenLine.foreign(text.strip(), mark, Style.PLAIN, columns() - 1);
    for (var line : all.subList(0, Math.min(lines, all.size()))) err(line.text());
    if (all.size() > lines) err(mark + "…");
  }

  /// Reports an error, and returns its exit code.
  int failed(Throwable error) {
    endText();
    return output.failed(error, Optional.empty());
  }

  private void print(String text) {
    terminal.out().print(text);
    terminal.out().flush();
  }

  private void err(String text) {
    terminal.err().println(text);
    terminal.err().flush();
  }
}
