package dev.superstep.cli.run;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.cli.host.ForeignText;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.Terminal;
import dev.superstep.cli.view.AnswerText;
import dev.superstep.cli.view.QuestionRisk;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.node.Approval;
import dev.superstep.program.Program;
import java.util.Locale;
import java.util.Optional;

/// Asks a person at the terminal. At the end of the input, all further answers wait.
final class QuestionPrompt {
  private static final int MARGIN = 4;

  private final Program program;
  private final Terminal terminal;
  private boolean ended;
  // Read by the thread that ends the process.
  private volatile boolean prompted;

  QuestionPrompt(Program program, Terminal terminal) {
    this.program = program;
    this.terminal = terminal;
  }

  /// The number of a question, and of all questions.
  record Place(int number, int of) {}

  /// Asks one question; empty if the answer has to wait.
  Optional<Json> ask(Interrupt question, Place place) {
    if (ended) return Optional.empty();
    print("\n[" + place.number() + "/" + place.of() + "] " + question.question());
    int width = terminal.display().columns().orElse(Integer.MAX_VALUE) - MARGIN;
    print(ForeignText.framed(program.ask(question).stripTrailing(), width));
    QuestionRisk.of(question).ifPresent(why -> print("risky: " + why));
    if (AnswerText.isText(question)) return text();
    return AnswerText.isApproval(question) ? approval(question) : json(question);
  }

  /// Prints why an answer was rejected.
  void complain(String why) {
    print(SafeText.line(why));
  }

  /// Ends the line of a prompt that nobody will answer.
  void abandon() {
    if (prompted) print("");
  }

  private Optional<Json> approval(Interrupt question) {
    while (true) {
      var line = typed("Approve? [y]es / [n]o / [s]kip (answer later): ");
      if (line.isEmpty()) return end();
      if (isSkip(line.get())) return Optional.empty();
      var approval = AnswerText.approval(line.get());
      if (approval.isPresent()) {
        return Optional.of(AnswerText.approval(question, reasoned(approval.get())));
      }
      print("Please type y, n or s. `no: reason` says why.");
    }
  }

  // A plain no gets one chance to say why.
  private Approval reasoned(Approval approval) {
    if (approval.approved() || approval.note().isPresent()) return approval;
    var why =
        typed("Why not? (Enter for no reason): ")
            .map(String::strip)
            .filter(text -> !text.isEmpty());
    return new Approval(false, why);
  }

  private Optional<Json> text() {
    var line = typed("Answer, or s to answer later: ");
    if (line.isEmpty()) return end();
    return isSkip(line.get()) ? Optional.empty() : Optional.of(Json.string(line.get().strip()));
  }

  private Optional<Json> json(Interrupt question) {
    while (true) {
      var line = typed("Answer as JSON (" + question.answerType() + "), or s to answer later: ");
      if (line.isEmpty()) return end();
      if (isSkip(line.get())) return Optional.empty();
      try {
        return Optional.of(Json.parse(line.get()));
      } catch (MalformedJson e) {
        complain(String.valueOf(e.getMessage()));
      }
    }
  }

  private Optional<Json> end() {
    ended = true;
    print("");
    return Optional.empty();
  }

  private static boolean isSkip(String line) {
    var word = line.strip().toLowerCase(Locale.ROOT);
    return word.equals("s") || word.equals("skip");
  }

  private Optional<String> typed(String prompt) {
    prompted = true;
    try {
      return terminal.ask(prompt);
    } finally {
      prompted = false;
    }
  }

  private void print(String text) {
    terminal.out().println(SafeText.of(text));
    terminal.out().flush();
  }
}
