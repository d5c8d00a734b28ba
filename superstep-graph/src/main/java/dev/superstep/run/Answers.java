package dev.superstep.run;

import dev.superstep.checkpoint.Answer;
import dev.superstep.json.Json;
import dev.superstep.node.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Answers to open interrupts, given when a thread is resumed. They may be partial: only the tasks
/// whose questions are answered continue. Immutable.
public record Answers(List<Answer> all) {
  public Answers {
    all = List.copyOf(all);
  }

  /// No answers, to resume a thread after a crash or a failure.
  public static Answers none() {
    return new Answers(List.of());
  }

  /// Answers one interrupt with a value of the question's answer type. For an answer that is a case
  /// of a sealed type, use [#of(String, Question, Object)]: only the question knows that type.
  public static Answers of(String interrupt, Object value) {
    return new Answers(List.of(new Answer(interrupt, Json.of(value))));
  }

  /// Answers one interrupt with a value that the question's own type encodes.
  ///
  /// @param interrupt the id of the interrupt that asks this question
  public static <A> Answers of(String interrupt, Question<?, A> question, A value) {
    return new Answers(List.of(new Answer(interrupt, question.answer().encode(value))));
  }

  /// The answer to the only open question of its name, as its own type has it.
  public static <A> Answers to(Question<?, A> question, A value) {
    return of(question.name(), question, value);
  }

  /// Answers one interrupt with JSON, as it arrives from outside.
  public static Answers json(String interrupt, Json value) {
    return new Answers(List.of(new Answer(interrupt, value)));
  }

  /// Several answers as JSON, by the ids of their questions.
  public static Answers json(Map<String, Json> byInterrupt) {
    return new Answers(
        byInterrupt.entrySet().stream().map(e -> new Answer(e.getKey(), e.getValue())).toList());
  }

  /// These answers and more.
  public Answers and(Answers more) {
    var both = new ArrayList<>(all);
    both.addAll(more.all);
    return new Answers(both);
  }

  /// These answers and one more.
  public Answers and(Answer answer) {
    var more = new ArrayList<>(all);
    more.add(answer);
    return new Answers(more);
  }
}
