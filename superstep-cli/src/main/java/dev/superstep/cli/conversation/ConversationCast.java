package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ForeignText;
import dev.superstep.json.Json;
import dev.superstep.terminal.CommandAttempt;
import dev.superstep.terminal.ConversationView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/// A conversation as a recording in the form asciicast 2, which players of terminal sessions show:
/// what was asked and planned, each command that was decided on at its time, and what it printed.
/// It is made of the stored conversation and not of what was on a screen. One thread at a time.
final class ConversationCast {
  private static final int WIDTH = 80;
  private static final int HEIGHT = 24;
  private static final int VERSION = 2;
  // Nobody wants to watch a person think.
  private static final int IDLE_MAX_SECONDS = 2;
  private static final double MILLIS = 1_000;

  private final ConversationView view;
  private final UnaryOperator<String> redact;
  private final List<String> lines = new ArrayList<>();
  private double now;

  private ConversationCast(ConversationView view, UnaryOperator<String> redact) {
    this.view = view;
    this.redact = redact;
  }

  /// @param redact takes secrets out
  static String of(ConversationView view, UnaryOperator<String> redact) {
    return new ConversationCast(view, redact).text();
  }

  private String text() {
    var info = view.info();
    lines.add(
        "{\"version\":%d,\"width\":%d,\"height\":%d,\"timestamp\":%d,\"idle_time_limit\":%d,\"title\":%s}"
            .formatted(
                VERSION,
                WIDTH,
                HEIGHT,
                info.created().getEpochSecond(),
                IDLE_MAX_SECONDS,
                Json.string(shown(info.name())).text()));
    says("? " + info.prompt());
    var steps = view.progress().steps();
    for (int i = 0; i < steps.size(); i++) {
      says("%2d. %s".formatted(i + 1, steps.get(i).description()));
    }
    for (var attempt : view.attempts()) add(attempt);
    says(view.statusLine());
    return String.join("\n", lines) + "\n";
  }

  private void add(CommandAttempt attempt) {
    at(attempt.at());
    var decision = attempt.decision();
    says(
        "(%s%s)"
            .formatted(
                decision.kind().name().toLowerCase(Locale.ROOT),
                decision.by().isEmpty() ? "" : " by " + decision.by()));
    says("$ " + attempt.command());
    if (attempt.result().isEmpty()) return;
    var result = attempt.result().get();
    at(attempt.at().plus(result.took()));
    if (!result.stdout().isBlank()) says(result.stdout().stripTrailing());
    if (!result.stderr().isBlank()) says(result.stderr().strip());
    if (!result.isSuccess()) says("exit status " + result.exit());
  }

  /// Goes on at a time, but never back: clocks may.
  private void at(Instant time) {
    now = Math.max(now, Duration.between(view.info().created(), time).toMillis() / MILLIS);
  }

  private void says(String text) {
    var shown = shown(text).replace("\n", "\r\n") + "\r\n";
    lines.add(String.format(Locale.ROOT, "[%.3f,\"o\",%s]", now, Json.string(shown).text()));
  }

  /// A player acts on control characters, too.
  private String shown(String text) {
    return ForeignText.spelledOut(redact.apply(text));
  }
}
