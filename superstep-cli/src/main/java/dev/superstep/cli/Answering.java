package dev.superstep.cli;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.AnswerRejected;
import dev.superstep.graph.Approval;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds answers to open questions: those that came with the command, then a person at the
/// terminal. For the questions of one thread, over as many rounds as it takes.
final class Answering {
  private static final Pattern POSITION = Pattern.compile("#?([1-9][0-9]{0,3})");

  private final GivenAnswers given;
  private final @Nullable Asking asking;
  private final Map<String, Json> answers = new HashMap<>();
  private final Set<String> typed = new HashSet<>();
  private final Set<String> skipped = new HashSet<>();
  private boolean matched;

  /// @param asking asks a person; null if nobody is there
  Answering(GivenAnswers given, @Nullable Asking asking) {
    this.given = given;
    this.asking = asking;
  }

  /// The answers there are to the open questions, in their order; none if all are to wait.
  ///
  /// @throws UsageError if the command answers a question that is not open
  List<Answer> collect(List<Interrupt> open) {
    if (!open.isEmpty()) match(open);
    var collected = new ArrayList<Answer>();
    for (int i = 0; i < open.size(); i++) {
      var question = open.get(i);
      var place = new Asking.Place(i + 1, open.size());
      answer(question, place).ifPresent(json -> collected.add(new Answer(question.id(), json)));
    }
    return collected;
  }

  /// Takes a rejected answer back, so that it is asked for again.
  ///
  /// @return whether a person typed it and can be asked again
  boolean retract(AnswerRejected rejected) {
    if (asking == null || !typed.remove(rejected.interrupt())) return false;
    answers.remove(rejected.interrupt());
    asking.complain(String.valueOf(rejected.getMessage()));
    return true;
  }

  /// Whether the command answers a question that never came up.
  List<String> unused() {
    return matched ? List.of() : List.copyOf(given.values().keySet());
  }

  private Optional<Json> answer(Interrupt question, Asking.Place place) {
    var known = answers.get(question.id());
    if (known != null) return Optional.of(known);
    if (given.yes() && AnswerText.isApproval(question)) {
      return Optional.of(Json.of(Approval.yes()));
    }
    if (asking == null || skipped.contains(question.id())) return Optional.empty();
    var said = asking.ask(question, place);
    if (said.isEmpty()) {
      skipped.add(question.id());
      return Optional.empty();
    }
    typed.add(question.id());
    answers.put(question.id(), said.get());
    return said;
  }

  // Positions are those of the first list of open questions, which the user has seen.
  private void match(List<Interrupt> open) {
    if (matched) return;
    for (var entry : given.values().entrySet()) {
      var question = named(entry.getKey(), open);
      var json = AnswerText.read(question, entry.getValue());
      if (answers.put(question.id(), json) != null) {
        throw new UsageError(
            "answer.twice",
            "Question `" + question.id() + "` is answered twice, by id and by position.");
      }
    }
    matched = true;
  }

  private static Interrupt named(String key, List<Interrupt> open) {
    for (var question : open) if (question.id().equals(key)) return question;
    var position = POSITION.matcher(key);
    if (position.matches()) {
      int number = Integer.parseInt(position.group(1));
      if (number <= open.size()) return open.get(number - 1);
    }
    throw new UsageError(
        "answer.unknown", "There is no open question `" + key + "`. Open: " + list(open) + ".");
  }

  private static String list(List<Interrupt> open) {
    var names = new ArrayList<String>();
    for (int i = 0; i < open.size(); i++) names.add((i + 1) + " (" + open.get(i).id() + ")");
    return String.join(", ", names);
  }
}
