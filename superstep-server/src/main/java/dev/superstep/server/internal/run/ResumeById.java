package dev.superstep.server.internal.run;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.server.internal.queue.RunRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The answers of a run whose client names the questions by their ids. Others may have answered
/// some of them since, or they were asked anew. Immutable.
///
/// @param before the questions that were open when the run began
record ResumeById(RunRequest request, List<Interrupt> before) {
  /// The answers that are to questions which are open.
  ///
  /// @param resume as the client sent it
  /// @return empty if there are none
  /// @throws ResumeRefused if the client wants all of them, or none
  Optional<JsonNode> toOpen(JsonNode resume, List<Interrupt> open) {
    if (request.answered().isEmpty()) return Optional.of(resume);
    var answers = JsonNodeFactory.instance.objectNode();
    var unknown = new ArrayList<String>();
    var taken = new HashSet<String>();
    for (var id : request.answered()) {
      var now = open.stream().filter(one -> !taken.contains(one.id()) && isMeant(id, one));
      var found = now.findFirst();
      if (found.isEmpty()) {
        unknown.add(id);
      } else {
        taken.add(found.get().id());
        answers.set(found.get().id(), resume.path(id));
      }
    }
    if (!unknown.isEmpty() && request.isStrict()) {
      throw new ResumeRefused(unknown, open.stream().map(Interrupt::id).toList());
    }
    return answers.isEmpty() ? Optional.empty() : Optional.of(answers);
  }

  /// Returns whether an id is that of a question, or that under which it was asked before.
  private boolean isMeant(String id, Interrupt question) {
    if (question.id().equals(id)) return true;
    return before.stream()
        .anyMatch(one ->
            one.id().equals(id)
                && one.node().equals(question.node())
                && one.question().equals(question.question())
                && one.payload().equals(question.payload()));
  }
}
