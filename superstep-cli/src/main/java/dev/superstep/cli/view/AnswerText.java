package dev.superstep.cli.view;

import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.cli.host.UsageError;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.node.Approval;
import dev.superstep.node.EffectConflict;
import dev.superstep.rag.component.AskedQuestion;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Parses the answers that people write to JSON. The engine checks whether the JSON fits the
/// question.
public final class AnswerText {
  private static final String APPROVAL = "Approval";
  static final String TEXT = "String";
  private static final Set<String> YES_OR_NO = Set.of("yes", "no");

  private AnswerText() {}

  /// Returns true if a question is answered by yes or no, and why.
  public static boolean isApproval(Interrupt question) {
    return question.answerType().equals(APPROVAL) || isReview(question) || isConflict(question);
  }

  static boolean isReview(Interrupt question) {
    return question.question().equals(Review.QUESTION.name())
        && question.answerType().equals(Review.QUESTION.answer().type());
  }

  private static boolean isConflict(Interrupt question) {
    return question.question().equals(EffectConflict.QUESTION.name())
        && question.answerType().equals(EffectConflict.QUESTION.answer().type());
  }

  /// The answer of a person who said yes or no, in the type of the question.
  public static Json approval(Interrupt question, Approval approval) {
    if (isReview(question)) {
      Review.Decision decision =
          approval.approved()
              ? new Review.Decision.Approve()
              : new Review.Decision.Reject(approval.note());
      int calls = Review.QUESTION.read(question).actions().size();
      return Review.QUESTION
          .answer()
          .encode(new Review.Decisions(Collections.nCopies(calls, decision)));
    }
    if (isConflict(question)) {
      return EffectConflict.QUESTION
          .answer()
          .encode(
              approval.approved()
                  ? new EffectConflict.Decision.Perform()
                  : new EffectConflict.Decision.Refuse(approval.note()));
    }
    return Json.of(approval);
  }

  /// Returns true if a question is answered by a text.
  public static boolean isText(Interrupt question) {
    return question.answerType().equals(TEXT);
  }

  /// Returns the answer that approves, if a question is answered by yes or no.
  public static Optional<Json> approving(Interrupt question) {
    if (isApproval(question)) return Optional.of(approval(question, Approval.yes()));
    boolean isYesOrNo = isText(question) && Set.copyOf(options(question)).equals(YES_OR_NO);
    return isYesOrNo ? Optional.of(Json.string("yes")) : Optional.empty();
  }

  /// Returns the possible answers, if the question lists them.
  public static List<String> options(Interrupt question) {
    return asked(question).map(AskedQuestion::options).orElse(List.of());
  }

  /// The question of a graph as text, if it is one.
  static Optional<AskedQuestion> asked(Interrupt question) {
    try {
      return Optional.of(question.payload().as(AskedQuestion.class));
    } catch (MalformedJson _) {
      return Optional.empty();
    }
  }

  /// Parses an approval from `yes`, `no`, `no: reason` or JSON, a text as it is or from a JSON
  /// string, and other answers as JSON or else as text.
  ///
  /// @throws UsageError if it is to be an approval and is none
  public static Json read(Interrupt question, String text) {
    if (isApproval(question)) {
      var approval = approval(text);
      return approval.isPresent() ? approval(question, approval.get()) : fromJson(question, text);
    }
    if (isText(question) && !text.startsWith("\"")) return Json.string(text);
    try {
      return Json.parse(text);
    } catch (MalformedJson _) {
      return Json.string(text);
    }
  }

  private static Json fromJson(Interrupt question, String text) {
    try {
      var json = Json.parse(text);
      return question.answerType().equals(APPROVAL) ? Json.of(json.as(Approval.class)) : json;
    } catch (MalformedJson e) {
      throw malformed(question, text, e);
    }
  }

  private static UsageError malformed(Interrupt question, String text, MalformedJson e) {
    return new UsageError(
        "answer.malformed",
        "Question `%s` cannot be answered by `%s`. Answer yes, no, or \"no: reason\"."
            .formatted(question.id(), text),
        e);
  }

  /// Returns yes or no, if the text is one of them.
  public static Optional<Approval> approval(String text) {
    int colon = text.indexOf(':');
    var word = (colon < 0 ? text : text.substring(0, colon)).strip().toLowerCase(Locale.ROOT);
    var note =
        Optional.of(colon < 0 ? "" : text.substring(colon + 1).strip())
            .filter(reason -> !reason.isEmpty());
    return switch (word) {
      case "y", "yes", "true" -> Optional.of(new Approval(true, note));
      case "n", "no", "false" -> Optional.of(new Approval(false, note));
      default -> Optional.empty();
    };
  }
}
