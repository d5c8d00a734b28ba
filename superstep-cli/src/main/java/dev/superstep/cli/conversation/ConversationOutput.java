package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ForeignText;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.Terminal;
import dev.superstep.cli.screen.Screen;
import dev.superstep.cli.screen.Style;
import dev.superstep.json.Json;
import dev.superstep.terminal.CommandAttempt;
import dev.superstep.terminal.CommandResult;
import dev.superstep.terminal.ConversationView;
import dev.superstep.terminal.approval.ApprovalRequest;
import dev.superstep.terminal.state.StepStatus;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Tells of a conversation: to people on their screen, or on standard error, and to programs by
/// lines of JSON on standard output. One thread at a time.
final class ConversationOutput {
  private static final int SHOWN_MAX = 4_000;
  private static final String GONE = "the terminal cannot be written";

  private final Terminal terminal;
  private final boolean json;
  private final @Nullable Screen screen;
  private int events;
  private int attempts;
  private String line = "";

  /// @param screen `null` if nobody is there
  ConversationOutput(Terminal terminal, boolean json, @Nullable Screen screen) {
    this.terminal = terminal;
    this.json = json;
    this.screen = screen;
  }

  /// Says something to people.
  void say(String text, Style style) {
    if (screen == null) {
      print(terminal.err(), SafeText.of(text));
      return;
    }
    try {
      screen.print(SafeText.of(text), style);
    } catch (IOException e) {
      throw new UncheckedIOException(GONE, e);
    }
  }

  /// Shows text by others to people.
  void show(String text) {
    if (screen == null) {
      if (json) print(terminal.err(), ForeignText.framed(text));
      else print(terminal.out(), SafeText.of(text));
      return;
    }
    try {
      screen.printForeign(text, "  ", Style.PLAIN);
    } catch (IOException e) {
      throw new UncheckedIOException(GONE, e);
    }
  }

  /// Says where a conversation is, if that has changed.
  void status(String now) {
    if (now.isEmpty() || now.equals(line)) return;
    line = now;
    if (screen == null) {
      say(now, Style.STRONG);
      return;
    }
    try {
      screen.status(SafeText.line(now));
    } catch (IOException e) {
      throw new UncheckedIOException(GONE, e);
    }
  }

  /// Leaves the last status where it is, since something else begins.
  void settle() {
    line = "";
    if (screen == null) return;
    try {
      screen.settle();
    } catch (IOException e) {
      throw new UncheckedIOException(GONE, e);
    }
  }

  /// Tells what is new in a conversation.
  void view(ConversationView view) {
    var history = view.history();
    for (; events < history.size(); events++) {
      var event = history.get(events);
      if (json) line(Json.of(EventLine.of(view.info().id(), event)));
    }
    for (; attempts < view.attempts().size(); attempts++) {
      var attempt = view.attempts().get(attempts);
      attempt.result().ifPresent(result -> outcome(view, attempt, result));
    }
    status(view.statusLine());
  }

  /// Begins with another conversation, of which everything has been told.
  void skip(ConversationView view) {
    events = view.history().size();
    attempts = view.attempts().size();
    line = "";
  }

  private void outcome(ConversationView view, CommandAttempt attempt, CommandResult result) {
    if (json) {
      line(
          Json.of(
              new EventLine.OutcomeLine(
                  EventLine.VERSION,
                  "outcome",
                  view.info().id(),
                  attempt.step() + 1,
                  attempt.command(),
                  result.exit(),
                  result.stdout(),
                  result.stderr(),
                  result.isCut())));
    }
    if (json && screen == null) return;
    say("$ " + ForeignText.spelledOut(attempt.command()), Style.FAINT);
    result(result);
  }

  /// Shows what a command printed, and how it ended if not well.
  void result(CommandResult result) {
    if (!result.stdout().isBlank()) show(cut(result.stdout().stripTrailing()));
    if (!result.stderr().isBlank()) show(cut(result.stderr().strip()));
    if (result.isSuccess()) return;
    var error =
        result.error().map(e -> e.name().toLowerCase(Locale.ROOT).replace('_', ' ')).orElse("");
    // It has no exit status of its own if it was stopped, or did not start.
    var status = result.exit() < 0 ? "no exit status" : "exit status " + result.exit();
    say(error.isEmpty() ? status : status + ", " + error, Style.WARNING);
  }

  private static String cut(String text) {
    if (text.length() <= SHOWN_MAX) return text;
    int head = text.offsetByCodePoints(0, text.codePointCount(0, SHOWN_MAX / 2));
    int tail = text.length() - SHOWN_MAX / 2;
    if (Character.isLowSurrogate(text.charAt(tail))) tail++;
    return text.substring(0, head)
        + "\n[... "
        + (tail - head)
        + " characters not shown ...]\n"
        + text.substring(tail);
  }

  /// Prints a plan as the result of the command.
  void plan(List<String> steps) {
    if (json) return;
    for (int i = 0; i < steps.size(); i++) {
      print(terminal.out(), "%d. %s".formatted(i + 1, SafeText.line(steps.get(i))));
    }
  }

  /// Prints a command as the result of the command.
  void command(ConversationView view, ApprovalRequest request) {
    if (json) {
      line(
          Json.of(
              new EventLine.CommandLine(
                  EventLine.VERSION,
                  "command",
                  view.info().id(),
                  request.step() + 1,
                  request.command(),
                  request.level().name().toLowerCase(Locale.ROOT),
                  ApprovalViews.number(request.confinement().tier()),
                  request.reasons())));
    } else {
      print(terminal.out(), ForeignText.spelledOut(request.command()));
    }
  }

  /// Says how many steps of a plan were passed over, if any were.
  void skipped(ConversationView view) {
    var steps = view.progress().steps();
    long passed = steps.stream().filter(step -> step.status() == StepStatus.SKIPPED).count();
    if (passed > 0) say("%d of %d steps skipped".formatted(passed, steps.size()), Style.PLAIN);
  }

  /// Says how the conversation ended, or what it waits for.
  void end(ConversationView view, String waitsFor, int exit, Optional<String> resume) {
    view(view);
    skipped(view);
    if (json) {
      line(
          Json.of(
              new EventLine.ResultLine(
                  EventLine.VERSION,
                  "result",
                  view.info().id(),
                  view.info().name(),
                  view.status().label(),
                  view.statusLine(),
                  exit,
                  waitsFor,
                  resume)));
    }
    resume.ifPresent(command -> say("resume with: " + command, Style.PLAIN));
  }

  private void line(Json line) {
    print(terminal.out(), line.text());
  }

  private static void print(PrintStream to, String text) {
    to.println(text);
    to.flush();
  }
}
