package dev.superstep.cli.view;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Json;
import dev.superstep.program.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// An open question; one object of `--json`.
///
/// @param position what `--answer` may name instead of the id, from 1, until a question of the same
///   superstep is answered
/// @param text the question in the program's words
/// @param yes whether it can be answered by yes or no
/// @param options the possible answers; empty if any will do, or if it is answered by yes or no
/// @param harmless whether a yes is known to approve nothing that happens outside
/// @param risk why nobody should approve it unseen, if it is known to be risky
public record OpenQuestion(
    int position,
    String id,
    String node,
    String question,
    String answerType,
    String text,
    Json payload,
    boolean yes,
    List<String> options,
    boolean harmless,
    Optional<String> risk) {
  boolean isText() {
    return answerType.equals(AnswerText.TEXT);
  }

  static OpenQuestion of(Interrupt i, int position, String text) {
    boolean yes = AnswerText.approving(i).isPresent();
    return new OpenQuestion(
        position,
        i.id(),
        i.node(),
        i.question(),
        i.answerType(),
        text,
        i.payload(),
        yes,
        yes ? List.of() : AnswerText.options(i),
        QuestionRisk.isHarmless(i),
        QuestionRisk.of(i));
  }

  public static List<OpenQuestion> all(Program program, List<Interrupt> open) {
    return all(program::ask, open);
  }

  /// Open questions in the order of their positions.
  ///
  /// @param words a question as a person reads it
  public static List<OpenQuestion> all(Function<Interrupt, String> words, List<Interrupt> open) {
    var all = new ArrayList<OpenQuestion>();
    for (var i : open) all.add(of(i, all.size() + 1, words.apply(i).strip()));
    return all;
  }
}
