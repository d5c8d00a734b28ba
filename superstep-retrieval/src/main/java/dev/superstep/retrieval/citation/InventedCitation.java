package dev.superstep.retrieval.citation;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// The answer of an agent cites what was not retrieved in its run, or cites nothing although it
/// must; and its [CitationGuard] refuses that.
public final class InventedCitation extends SuperstepException {
  private final List<String> labels;

  InventedCitation(String agent, List<String> labels) {
    super(
        "retrieval.invented-citation",
        labels.isEmpty()
            ? ("The answer of agent `%s` cites none of the passages that it retrieved. Ask for"
                    + " citations in its instructions, or let the guard repair answers.")
                .formatted(agent)
            : ("The answer of agent `%s` cites [%s], which it did not retrieve in this run. Let"
                    + " the guard repair or mark such citations, or use a stronger model.")
                .formatted(agent, String.join("], [", labels)));
    this.labels = List.copyOf(labels);
  }

  /// The labels that were not retrieved; empty if a citation is missing.
  public List<String> labels() {
    return labels;
  }
}
