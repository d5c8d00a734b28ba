package dev.superstep.cli.conversation;

import dev.superstep.cli.screen.ApprovalAnswer;
import dev.superstep.cli.screen.ApprovalView;
import dev.superstep.cli.screen.BlockDialog;
import dev.superstep.cli.screen.Key;
import dev.superstep.cli.screen.KeyChoice;
import dev.superstep.cli.screen.Screen;
import dev.superstep.cli.screen.ScreenLine;
import dev.superstep.cli.screen.Style;
import dev.superstep.terminal.PlanDecision;
import dev.superstep.terminal.Recovery;
import dev.superstep.terminal.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/// A person at a screen. One thread at a time.
final class ScreenPerson implements Person {
  private static final char ABORT = 'q';
  private static final char NOTHING = 0;
  private static final KeyChoice LATER = new KeyChoice('l', "later");
  private static final String CHANGES =
      "Change (`2 text` rewords step 2, `+2 text` adds one before it, `-2` removes it, `3>1`"
          + " moves it): ";

  private final Screen screen;

  ScreenPerson(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Optional<PlanDecision> plan(Waiting.ForPlan asked) {
    var choices =
        List.of(
            new KeyChoice('a', "accept"),
            new KeyChoice('e', "edit"),
            new KeyChoice('r', "another plan"),
            LATER,
            new KeyChoice(ABORT, "abort"));
    while (true) {
      var decision = plan(asked, choose(width -> body(asked, width), choices, 'a'));
      if (decision.isPresent()) return decision.get();
    }
  }

  /// @return empty to ask again; inside, empty if nobody is there
  @SuppressWarnings("OptionalMapToOptional") // the two kinds of nothing differ
  private Optional<Optional<PlanDecision>> plan(Waiting.ForPlan asked, char key) {
    return switch (key) {
      case 'a' -> Optional.of(Optional.of(new PlanDecision.Accept()));
      case ABORT -> Optional.of(Optional.of(new PlanDecision.Abort()));
      case 'r' ->
          line(width -> body(asked, width), "What should be different? ")
              .map(reason -> Optional.of(new PlanDecision.Replan(reason)));
      case 'e' ->
          line(width -> body(asked, width), CHANGES)
              .flatMap(change -> PlanChange.of(change).flatMap(c -> c.apply(asked.steps())))
              .map(steps -> Optional.of(new PlanDecision.Edit(steps)));
      default -> Optional.of(Optional.empty());
    };
  }

  private static List<ScreenLine> body(Waiting.ForPlan asked, int width) {
    var lines = new ArrayList<ScreenLine>();
    var title = asked.before().isEmpty() ? "The plan:" : "The new plan:";
    lines.addAll(ScreenLine.wrapped(title, Style.STRONG, width));
    for (int i = 0; i < asked.steps().size(); i++) {
      var step = asked.steps().get(i);
      boolean isNew = !asked.before().isEmpty() && !asked.before().contains(step);
      var mark = "%s%2d. ".formatted(isNew ? "+" : " ", i + 1);
      lines.addAll(ScreenLine.foreign(step, mark, Style.PLAIN, width));
    }
    for (var step : asked.before()) {
      if (asked.steps().contains(step)) continue;
      lines.addAll(ScreenLine.foreign(step, "-    ", Style.FAINT, width));
    }
    warn(asked.warnings(), lines, width);
    return lines;
  }

  private static void warn(List<String> warnings, List<ScreenLine> lines, int width) {
    for (var warning : warnings) {
      lines.addAll(ScreenLine.foreign(warning, "! ", Style.WARNING, width));
    }
  }

  @Override
  public Optional<Recovery> step(Waiting.ForStep asked) {
    var choices =
        List.of(
            new KeyChoice('c', "continue"),
            new KeyChoice('s', "skip"),
            LATER,
            new KeyChoice(ABORT, "abort"));
    IntFunction<List<ScreenLine>> body =
        width ->
            ScreenLine.foreign(
                asked.description(), "Step %d: ".formatted(asked.step() + 1), Style.PLAIN, width);
    return switch (choose(body, choices, NOTHING)) {
      case 'c' -> Optional.of(Recovery.CONTINUE);
      case 's' -> Optional.of(Recovery.SKIP);
      case ABORT -> Optional.of(Recovery.ABORT);
      default -> Optional.empty();
    };
  }

  @Override
  public Optional<ApprovalAnswer> command(ApprovalView view) {
    try {
      var answer = screen.ask(view);
      return answer instanceof ApprovalAnswer.Later ? Optional.empty() : Optional.of(answer);
    } catch (IOException e) {
      throw gone(e);
    }
  }

  @Override
  public Optional<String> answer(Waiting.ForAnswer asked) {
    IntFunction<List<ScreenLine>> body =
        width -> {
          var lines = new ArrayList<ScreenLine>();
          lines.addAll(ScreenLine.wrapped("The model asks:", Style.STRONG, width));
          lines.addAll(ScreenLine.foreign(asked.question(), "~ ", Style.PLAIN, width));
          for (int i = 0; i < asked.options().size(); i++) {
            var mark = " %d. ".formatted(i + 1);
            lines.addAll(ScreenLine.foreign(asked.options().get(i), mark, Style.PLAIN, width));
          }
          warn(asked.warnings(), lines, width);
          return lines;
        };
    var typed = line(body, "Your answer, or the number of one: ");
    return typed.filter(text -> !text.isBlank()).map(text -> option(asked, text.strip()));
  }

  private static String option(Waiting.ForAnswer asked, String text) {
    if (!text.matches("[1-9]")) return text;
    int index = Integer.parseInt(text) - 1;
    return index < asked.options().size() ? asked.options().get(index) : text;
  }

  @Override
  public Optional<Recovery> recover(String what, Set<Recovery> choices) {
    var keys = new ArrayList<KeyChoice>();
    for (var each : Recovery.values()) {
      if (choices.contains(each)) keys.add(new KeyChoice(key(each), label(each)));
    }
    keys.add(LATER);
    char key = choose(width -> ScreenLine.wrapped(what, Style.WARNING, width), keys, NOTHING);
    for (var each : choices) {
      if (key(each) == key) return Optional.of(each);
    }
    return key == ABORT ? Optional.of(Recovery.ABORT) : Optional.empty();
  }

  private static char key(Recovery choice) {
    return switch (choice) {
      case CONTINUE -> 'c';
      case RETRY -> 'r';
      case RERUN -> 'g';
      case MARK_DONE -> 'm';
      case SKIP -> 's';
      case ABORT -> ABORT;
    };
  }

  private static String label(Recovery choice) {
    return switch (choice) {
      case CONTINUE -> "continue";
      case RETRY -> "retry";
      case RERUN -> "ask to run it again";
      case MARK_DONE -> "mark as done";
      case SKIP -> "skip";
      case ABORT -> "abort";
    };
  }

  @Override
  public boolean agrees(String question) {
    var choices = List.of(new KeyChoice('y', "yes"), new KeyChoice('n', "no"));
    return choose(width -> ScreenLine.wrapped(question, Style.WARNING, width), choices, 'y') == 'y';
  }

  /// @return the key; that of an abort after Ctrl-C; zero if the terminal is gone
  private char choose(IntFunction<List<ScreenLine>> body, List<KeyChoice> choices, char locked) {
    try {
      return switch (screen.choose(new BlockDialog.Content(body, choices, locked))) {
        case Key.Typed(int c) -> (char) c;
        case Key.Named named -> named == Key.Named.INTERRUPT ? ABORT : NOTHING;
        case Key.Pasted _ -> NOTHING;
      };
    } catch (IOException e) {
      throw gone(e);
    }
  }

  private Optional<String> line(IntFunction<List<ScreenLine>> body, String prompt) {
    try {
      return screen.type(new BlockDialog.Content(body, List.of(), NOTHING), prompt);
    } catch (IOException e) {
      throw gone(e);
    }
  }

  private static UncheckedIOException gone(IOException e) {
    return new UncheckedIOException("The terminal cannot be used: " + e.getMessage(), e);
  }
}
