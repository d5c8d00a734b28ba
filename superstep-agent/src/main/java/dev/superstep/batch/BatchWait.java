package dev.superstep.batch;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.node.Question;
import dev.superstep.run.Answers;
import java.util.List;

/// The wait of a run for the result of a request in a batch. The run is saved, and goes on when it
/// is answered: by [ModelBatches#advance] and [#answers], not by a person.
///
/// @param id of the request
/// @param thread of the run
/// @param model the URL of the model that is asked
public record BatchWait(String id, String thread, String model) {
  /// The question as which the run waits.
  public static final Question<BatchWait, Boolean> QUESTION =
      Question.of("model-batch", BatchWait.class, Boolean.class);

  /// The answers to those open questions of a thread that are waits with a result.
  ///
  /// @param open the questions of the thread
  /// @param ready the waits that have a result
  public static Answers answers(List<Interrupt> open, List<BatchWait> ready) {
    var ids = ready.stream().map(BatchWait::id).toList();
    var answers = Answers.none();
    for (var question : open) {
      if (!question.question().equals(QUESTION.name())) continue;
      if (ids.contains(QUESTION.read(question).id())) {
        answers = answers.and(QUESTION.answer(question, true));
      }
    }
    return answers;
  }
}
