package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// A node asked a question that its graph does not declare, so that an answer could not be checked.
public final class UndeclaredQuestion extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String question;

  public UndeclaredQuestion(String graph, String question) {
    super(
        "graph.undeclared-question",
        ("Graph `%s` does not declare question `%s`. Add the same constant to"
                + " `questions(...)`.")
            .formatted(graph, question),
        null);
    this.question = question;
  }

  /// The name of the question.
  public String question() {
    return question;
  }
}
