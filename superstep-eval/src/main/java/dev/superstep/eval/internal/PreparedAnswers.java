package dev.superstep.eval.internal;

import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.JsonValues;
import dev.superstep.json.Json;
import dev.superstep.run.Answers;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The answers that a case has ready for questions, by the names of the questions.
public record PreparedAnswers(Map<String, Json> byQuestion) {
  private static final String APPROVE = "approve";
  private static final String REJECT = "reject";

  /// The answers that a case has.
  public static PreparedAnswers of(Case item) {
    return new PreparedAnswers(item.answers());
  }

  /// The answers to those of the questions that the case answers.
  public Answers to(List<Interrupt> questions) {
    var answers = Answers.none();
    for (var question : questions) {
      var prepared = byQuestion.get(question.question());
      if (prepared == null) continue;
      var decision = decision(question, prepared);
      answers =
          answers.and(
              decision
                  .map(one -> Review.decide(List.of(question), _ -> one))
                  .orElseGet(() -> Answers.json(question.id(), prepared)));
    }
    return answers;
  }

  private static Optional<Review.Decision> decision(Interrupt question, Json prepared) {
    if (!question.question().equals(Review.QUESTION.name())) return Optional.empty();
    if (!prepared.text().startsWith("\"")) return Optional.empty();
    var word = JsonValues.text(prepared).strip();
    if (word.equals(APPROVE)) return Optional.of(Review.Decision.approve());
    if (word.equals(REJECT)) return Optional.of(Review.Decision.reject("Rejected."));
    if (word.startsWith(REJECT + ":")) {
      return Optional.of(Review.Decision.reject(word.substring(REJECT.length() + 1).strip()));
    }
    return Optional.empty();
  }
}
