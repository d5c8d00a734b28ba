package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// A node took the answer to a question that it does not run because of.
public final class NoAnswer extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String node;
  private final String question;

  /// @param asked the question whose answer the node runs because of, or empty if there is none
  public NoAnswer(String node, String question, String asked) {
    super(
        "graph.no-answer",
        "Node `"
            + node
            + "` took the answer to question `"
            + question
            + "`, but "
            + (asked.isEmpty()
                ? "it runs without one"
                : "it runs because `" + asked + "` was answered")
            + ". Look at `context.resumePoint()` first.",
        null);
    this.node = node;
    this.question = question;
  }

  /// The node.
  public String node() {
    return node;
  }

  /// The question that it meant.
  public String question() {
    return question;
  }
}
