package dev.superstep.terminal;

import dev.superstep.language.VisibleText;
import java.util.ArrayList;
import java.util.List;

/// A conversation as a Markdown page for people. Texts of models and commands are shown with
/// invisible characters made visible, and cannot end the block that they are in.
final class ConversationMarkdown {
  private ConversationMarkdown() {}

  static String of(ConversationView view) {
    var lines = new ArrayList<String>();
    lines.add("# " + VisibleText.line(view.info().name()));
    lines.add("");
    lines.add("- Asked: " + VisibleText.line(view.info().prompt()));
    lines.add("- Status: " + view.status().label());
    lines.add("- Provider: " + VisibleText.line(view.info().provider()));
    lines.add("- Begun: " + view.info().created());
    for (int i = 0; i < view.progress().steps().size(); i++) {
      var step = view.progress().steps().get(i);
      lines.add("");
      lines.add(
          "## %d. %s (%s)"
              .formatted(i + 1, VisibleText.line(step.description()), step.status().label()));
      for (var attempt : view.attempts()) if (attempt.step() == i) add(lines, attempt);
    }
    return String.join("\n", lines) + "\n";
  }

  private static void add(List<String> lines, CommandAttempt attempt) {
    lines.add("");
    block(lines, "sh", attempt.command());
    var decision = attempt.decision();
    var by = decision.by().isEmpty() ? "" : " by " + decision.by();
    lines.add("- " + decision.kind() + by);
    attempt
        .result()
        .ifPresent(result -> {
          lines.add("- Exit status: " + result.exit());
          if (!result.stdout().isBlank()) block(lines, "text", result.stdout());
          if (!result.stderr().isBlank()) block(lines, "text", result.stderr());
        });
  }

  private static void block(List<String> lines, String language, String text) {
    var fence = "```";
    while (text.contains(fence)) fence += "`";
    lines.add(fence + language);
    text.lines().forEach(line -> lines.add(VisibleText.exactLine(line)));
    lines.add(fence);
  }
}
