package dev.superstep.cli.run;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.view.AnswerText;
import dev.superstep.cli.view.QuestionRisk;
import dev.superstep.cli.view.SuppliedAnswers;
import dev.superstep.error.AnswerRejected;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds answers to open questions: those in the command, then those of a person at the terminal.
/// For the questions of one thread, over all rounds.
final class AnswerSource {
  private static final Pattern POSITION = Pattern.compile("#?([1-9][0-9]{0,3})");

  private final SuppliedAnswers given;
  private final @Nullable QuestionPrompt prompt;
  private final Map<String, Json> answers = new HashMap<>();
  private final Set<String> typed = new HashSet<>();
  // In the order in which they came up.
  private final Set<String> seen = new LinkedHashSet<>();
  private final Set<String> skipped = new HashSet<>();
  // Those that were open when answers were first looked for.
  private final Set<String> shown = new HashSet<>();
  private boolean matched;

  /// @param prompt asks a person; null if nobody is there
  AnswerSource(SuppliedAnswers given, @Nullable QuestionPrompt prompt) {
    this.given = given;
    this.prompt = prompt;
  }

  /// Returns the answers in the command to open questions, in the order of the questions.
  ///
  /// @param begun whether some questions were answered since the list was first shown
  /// @throws UsageError if the command answers a question that is not open, or not in its words
  List<Answer> given(List<Interrupt> open, BooleanSupplier begun) {
    if (!open.isEmpty()) match(open, begun);
    if (shown.isEmpty()) for (var question : open) shown.add(question.id());
    var collected = new ArrayList<Answer>();
    for (var question : open) {
      var json = given(question);
      if (json.isPresent()) collected.add(new Answer(question.id(), json.get()));
    }
    return collected;
  }

  /// Asks a person the first open question that is not skipped; empty if all questions are to wait.
  Optional<Answer> typed(List<Interrupt> open) {
    if (prompt == null) return Optional.empty();
    for (var question : open) seen.add(question.id());
    for (var question : open) {
      if (skipped.contains(question.id())) continue;
      var place =
          new QuestionPrompt.Place(List.copyOf(seen).indexOf(question.id()) + 1, seen.size());
      var said = prompt.ask(question, place);
      if (said.isPresent()) {
        typed.add(question.id());
        return Optional.of(new Answer(question.id(), said.get()));
      }
      skipped.add(question.id());
    }
    return Optional.empty();
  }

  /// Takes a rejected answer back, so that it is asked for again.
  ///
  /// @return whether a person typed it and can be asked again
  boolean retract(AnswerRejected rejected) {
    if (prompt == null || !typed.remove(rejected.interrupt())) return false;
    prompt.complain(String.valueOf(rejected.getMessage()));
    return true;
  }

  /// Returns the keys of answers in the command for which no question came up.
  List<String> unused() {
    return matched ? List.of() : List.copyOf(given.values().keySet());
  }

  /// Ends the prompt, since the process ends. Called from another thread.
  void abandon() {
    if (prompt != null) prompt.abandon();
  }

  private Optional<Json> given(Interrupt question) {
    var named = answers.get(question.id());
    if (named != null) return Optional.of(named);
    return isApproved(question) ? AnswerText.approving(question) : Optional.empty();
  }

  private boolean isApproved(Interrupt question) {
    return switch (given.yes()) {
      case NONE -> false;
      case ORDINARY -> QuestionRisk.of(question).isEmpty();
      case OPEN_RISKY -> QuestionRisk.of(question).isEmpty() || shown.contains(question.id());
    };
  }

  /// Returns the risky questions among these answers that the command approves without naming them.
  List<Interrupt> riskyApprovals(List<Interrupt> open, List<Answer> collected) {
    var ids = collected.stream().map(Answer::interrupt).toList();
    return open.stream()
        .filter(question -> ids.contains(question.id()) && !answers.containsKey(question.id()))
        .filter(question -> QuestionRisk.of(question).isPresent())
        .toList();
  }

  // Positions are those of the first list of open questions, which the user has seen.
  private void match(List<Interrupt> open, BooleanSupplier begun) {
    if (matched) return;
    for (var entry : given.values().entrySet()) {
      var question = named(entry.getKey(), open, begun);
      var json = AnswerText.read(question, entry.getValue());
      if (answers.put(question.id(), json) != null) {
        throw new UsageError(
            "answer.twice",
            "Question `" + question.id() + "` is answered twice, by id and by position.");
      }
    }
    matched = true;
  }

  private static Interrupt named(String key, List<Interrupt> open, BooleanSupplier begun) {
    for (var question : open) if (question.id().equals(key)) return question;
    var position = POSITION.matcher(key);
    if (position.matches()) {
      if (begun.getAsBoolean()) throw moved(key, open);
      int number = Integer.parseInt(position.group(1));
      if (number <= open.size()) return open.get(number - 1);
    }
    throw new UsageError(
        "answer.unknown", "There is no open question `" + key + "`. Open: " + list(open) + ".");
  }

  private static UsageError moved(String position, List<Interrupt> open) {
    var ids = open.stream().map(Interrupt::id).toList();
    return new UsageError(
        "answer.position",
        "Question `%s` may not be the one that you saw, as some were answered since. Name its id: %s."
            .formatted(position, String.join(", ", ids)));
  }

  private static String list(List<Interrupt> open) {
    var names = new ArrayList<String>();
    for (int i = 0; i < open.size(); i++) names.add((i + 1) + " (" + open.get(i).id() + ")");
    return String.join(", ", names);
  }
}
