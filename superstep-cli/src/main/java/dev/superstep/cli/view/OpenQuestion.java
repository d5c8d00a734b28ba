package dev.superstep.cli.view;

import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Json;
import dev.superstep.program.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// An open question; one object of `--json`.
///
/// @param position what `--answer` may name instead of the id, from 1, until a question of the same
///   superstep is answered
/// @param text the question in the program's words
public record OpenQuestion(
    int position,
    String id,
    String node,
    String question,
    String answerType,
    String text,
    Json payload) {
  boolean isApproval() {
    return answerType.equals(AnswerText.APPROVAL) || question.equals(Review.QUESTION.name());
  }

  boolean isText() {
    return answerType.equals(AnswerText.TEXT);
  }

  public static List<OpenQuestion> all(Program program, List<Interrupt> open) {
    return all(program::ask, open);
  }

  /// Open questions in the order of their positions.
  ///
  /// @param words a question as a person reads it
  public static List<OpenQuestion> all(Function<Interrupt, String> words, List<Interrupt> open) {
    var all = new ArrayList<OpenQuestion>();
    for (var i : open) {
      var text = words.apply(i).strip();
      all.add(
          new OpenQuestion(
              all.size() + 1, i.id(), i.node(), i.question(), i.answerType(), text, i.payload()));
    }
    return all;
  }
}
