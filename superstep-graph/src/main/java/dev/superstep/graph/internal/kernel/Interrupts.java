package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.ValueOverLimit;
import dev.superstep.error.InvalidUse;
import dev.superstep.json.Json;
import dev.superstep.node.Ask;
import dev.superstep.node.Question;

/// Makes interrupts, the same for the same question of the same task in every process.
public final class Interrupts {
  private static final int ID_LENGTH = 10;
  private static final String ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

  private Interrupts() {}

  /// The id of a question that a task asks while it runs.
  public static String id(Task task, AttemptPhase phase, int index) {
    var place = phase.path().isEmpty() ? task.id() : task.id() + "\n" + phase.path();
    return id(place + "#" + index);
  }

  /// A question that a task asks while it runs.
  public static <P> Interrupt asked(
      String id, Task task, AttemptPhase phase, Question<P, ?> question, P payload) {
    return new Interrupt(
        id,
        task.id(),
        task.node(),
        phase.lastAsked(),
        phase.path(),
        question.name(),
        question.answer().type(),
        payload(question, payload));
  }

  /// The question that a task returned.
  public static <P> Interrupt returned(Task task, Ask<P, ?> ask) {
    var question = ask.question();
    return new Interrupt(
        id(task.id() + "?"),
        task.id(),
        task.node(),
        0,
        ask.resumePoint(),
        question.name(),
        question.answer().type(),
        payload(question, ask.payload()));
  }

  private static <P> Json payload(Question<P, ?> question, P payload) {
    return ValueOverLimit.checked(question.payload().encode(payload), "question", question.name());
  }

  /// Refuses a question that nobody could answer.
  public static void check(RunIdentity scope, Task task, Question<?, ?> question) {
    if (!scope.isPersistent()) throw InvalidUse.interruptNeedsCheckpointer(task.node());
    if (!question.equals(scope.graph().question(question.name()))) {
      throw InvalidUse.undeclaredQuestion(scope.graph().name(), question.name());
    }
  }

  /// Short enough to type, long enough (50 bits) not to collide within a thread.
  private static String id(String place) {
    var hash = Sha256.of(place);
    var id = new StringBuilder();
    for (int i = 0; i < ID_LENGTH; i++) id.append(ID_LETTERS.charAt(hash[i] & 31));
    return id.toString();
  }
}
