package dev.superstep.cli.view;

import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.cli.host.UsageError;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.node.Approval;
import dev.superstep.rag.component.AskedQuestion;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Parses the answers that people write to JSON. The engine checks whether the JSON fits the
/// question.
public final class AnswerText {
  static final String APPROVAL = "Approval";
  static final String TEXT = "String";
  private static final Set<String> YES_OR_NO = Set.of("yes", "no");

  private AnswerText() {}

  /// Returns true if a question is answered by yes or no.
  public static boolean isApproval(Interrupt question) {
    return question.answerType().equals(APPROVAL) || isReview(question);
  }

  /// Returns true if a question is about tool calls of an agent: a yes approves all that it lists,
  /// a no rejects them.
  static boolean isReview(Interrupt question) {
    return question.question().equals(Review.QUESTION.name())
        && question.answerType().equals(Review.Decisions.class.getSimpleName());
  }

  /// Returns the answer for an approval, in the form of its question.
  public static Json approval(Interrupt question, Approval said) {
    if (!isReview(question)) return Json.of(said);
    Review.Decision each =
        said.approved() ? new Review.Decision.Approve() : new Review.Decision.Reject(said.note());
    var actions = question.payload().as(Review.class).actions();
    return Json.of(new Review.Decisions(actions.stream().map(_ -> each).toList()));
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
    try {
      return question.payload().as(AskedQuestion.class).options();
    } catch (MalformedJson _) {
      return List.of();
    }
  }

  /// Parses an approval from `yes`, `no`, `no: reason` or JSON, a text as it is or from a JSON
  /// string, and other answers as JSON or else as text.
  ///
  /// @throws UsageError if it is to be an approval and is none
  public static Json read(Interrupt question, String text) {
    if (isApproval(question)) {
      var approval = approval(text);
      if (approval.isPresent()) return approval(question, approval.get());
      if (isReview(question)) return decisions(question, text);
      return Json.of(fromJson(question, text));
    }
    if (isText(question) && !text.startsWith("\"")) return Json.string(text);
    try {
      return Json.parse(text);
    } catch (MalformedJson _) {
      return Json.string(text);
    }
  }

  private static Json decisions(Interrupt question, String text) {
    try {
      return Json.of(Json.parse(text).as(Review.Decisions.class));
    } catch (MalformedJson e) {
      throw malformed(question, text, e);
    }
  }

  private static Approval fromJson(Interrupt question, String text) {
    try {
      return Json.parse(text).as(Approval.class);
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
