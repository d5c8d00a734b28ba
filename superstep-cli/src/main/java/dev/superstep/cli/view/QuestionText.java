package dev.superstep.cli.view;

import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.cli.host.Display;
import dev.superstep.cli.host.ForeignText;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.screen.Style;
import dev.superstep.json.MalformedJson;
import dev.superstep.rag.component.AskedQuestion;
import java.util.ArrayList;
import java.util.List;

/// Open questions with a command for each answer. Commands are on a line of their own, however long
/// they are, so that they can be copied. Approving all at once is offered only if all questions are
/// known to be harmless.
public final class QuestionText {
  private static final int MARGIN = 4;

  private final String resume;
  private final Display display;

  /// Creates the text of questions.
  ///
  /// @param resume the command to which answers are added; empty if another command answers
  public QuestionText(String resume, Display display) {
    this.resume = resume;
    this.display = display;
  }

  /// The questions, as lines that are safe to print.
  public List<String> lines(List<OpenQuestion> open) {
    var lines = new ArrayList<String>();
    lines.add(open.size() == 1 ? "1 question is open:" : open.size() + " questions are open:");
    for (var question : open) question(question, lines);
    if (resume.isEmpty()) return lines;
    if (open.stream().allMatch(OpenQuestion::harmless)) {
      lines.add("");
      lines.add("To approve " + (open.size() == 1 ? "it" : "all of them") + ":");
      lines.add("  " + strong(resume + " --yes"));
    }
    return lines;
  }

  private void question(OpenQuestion question, List<String> lines) {
    lines.add("");
    lines.add(
        SafeText.line(
            "%d (%s) %s, asked by %s"
                .formatted(
                    question.position(), question.id(), question.question(), question.node())));
    int width = display.columns().orElse(Integer.MAX_VALUE) - MARGIN;
    ForeignText.framed(question.text(), width).lines().forEach(lines::add);
    question
        .risk()
        .ifPresent(why -> lines.add(look(Style.WARNING, "  risky: " + SafeText.line(why))));
    if (resume.isEmpty()) return;
    if (question.yes()) {
      answer(question.id() + "=yes", lines);
      answer(question.id() + "=no: REASON", lines);
      return;
    }
    for (var option : question.options()) answer(question.id() + "=" + option, lines);
    if (!question.options().isEmpty()) return;
    if (!question.isText()) {
      lines.add("  " + SafeText.line("The answer is JSON of type " + question.answerType() + "."));
    }
    answer(question.id() + (question.isText() ? "=TEXT" : "=JSON"), lines);
  }

  private void answer(String pair, List<String> lines) {
    var command = resume + " --answer " + ShellText.word(pair);
    int width = display.columns().orElse(Integer.MAX_VALUE);
    for (var line : ShellText.folded(command, width, 2)) lines.add(strong(SafeText.of(line)));
  }

  private String strong(String text) {
    return look(Style.STRONG, text);
  }

  private String look(Style style, String text) {
    return display.isColored() ? style.of(text) : text;
  }

  /// A question as a command without the program can show it.
  public static OpenQuestion of(Interrupt question, int position) {
    return OpenQuestion.of(question, position, text(question));
  }

  private static String text(Interrupt question) {
    var payload = question.payload();
    try {
      if (payload.text().startsWith("\"")) return payload.as(String.class);
      if (question.question().equals(Review.QUESTION.name())) return calls(question);
      return AnswerText.asked(question).map(AskedQuestion::prompt).orElse(payload.text());
    } catch (MalformedJson _) {
      return payload.text();
    }
  }

  private static String calls(Interrupt question) {
    var lines = new ArrayList<String>();
    for (var action : Review.QUESTION.read(question).actions()) {
      lines.add(action.name() + " " + action.args().text());
      action.description().ifPresent(lines::add);
    }
    return String.join("\n", lines);
  }
}
