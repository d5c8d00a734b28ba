package dev.superstep.node;

import java.util.List;

/// A node's result that asks a question and ends the superstep for the node: what it wrote is
/// folded and seen by all, and when the answer has come, the node runs again from its start, with
/// [NodeContext#resumePoint] and [NodeContext#answer]. Its edges are followed when it returns
/// something else. Immutable.
///
/// Unlike [NodeContext#interrupt], nothing of the node runs twice and no superstep waits for the
/// questions of its siblings; the nodes that follow the siblings run beside the open question, for
/// one superstep.
///
/// @param update what it writes, folded once
/// @param resumePoint where the node continues, in its own words; the question's name unless set
public record Ask<P, A>(Question<P, A> question, P payload, Update update, String resumePoint)
    implements NodeResult {
  private static final int POINT_MAX = 200;

  public Ask {
    if (resumePoint.isBlank() || resumePoint.length() > POINT_MAX) {
      throw new IllegalArgumentException(
          "resumePoint must have 1 to " + POINT_MAX + " characters, was `" + resumePoint + "`");
    }
  }

  /// Asks and writes nothing.
  public static <P, A> Ask<P, A> of(Question<P, A> question, P payload) {
    return new Ask<>(question, payload, new Update(List.of()), question.name());
  }

  /// Returns a copy with these writes added.
  public Ask<P, A> with(Update more) {
    return new Ask<>(question, payload, update.and(more), resumePoint);
  }

  /// Returns a copy in which the node continues at another point.
  public Ask<P, A> resumeAt(String point) {
    return new Ask<>(question, payload, update, point);
  }
}
