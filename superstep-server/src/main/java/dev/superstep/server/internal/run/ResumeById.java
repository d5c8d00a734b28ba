package dev.superstep.server.internal.run;

import dev.superstep.checkpoint.Interrupt;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The answers of a run whose client names the questions by their ids. Others may have answered
/// some of them since. Immutable.
record ResumeById(RunRequest request) {
  /// The answers that are to questions which are open.
  ///
  /// @param resume as the client sent it
  /// @return empty if there are none
  /// @throws ResumeRefused if the client wants all of them, or none
  Optional<JsonNode> toOpen(JsonNode resume, List<Interrupt> open) {
    if (request.answered().isEmpty()) return Optional.of(resume);
    var ids = open.stream().map(Interrupt::id).toList();
    var unknown = request.answered().stream().filter(id -> !ids.contains(id)).toList();
    if (unknown.isEmpty()) return Optional.of(resume);
    if (request.isStrict()) throw new ResumeRefused(unknown, ids);
    var left = JsonNodeFactory.instance.objectNode();
    for (var id : request.answered()) if (ids.contains(id)) left.set(id, resume.path(id));
    return left.isEmpty() ? Optional.empty() : Optional.of(left);
  }
}
