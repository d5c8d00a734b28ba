package dev.superstep.rag.error;

import dev.superstep.json.SuperstepException;
import dev.superstep.language.Diagnostic;
import java.util.List;
import java.util.stream.Collectors;

/// A blueprint cannot be bound to the components of a registry. Carries all findings.
public final class BindingFailed extends SuperstepException {
  private final List<Diagnostic> findings;

  public BindingFailed(String graph, List<Diagnostic> findings) {
    super(
        "rag.binding-failed",
        "graph `"
            + graph
            + "` cannot run:"
            + findings.stream()
                .map(each -> "\n  " + each.code() + ": " + each.message())
                .collect(Collectors.joining()));
    this.findings = List.copyOf(findings);
  }

  /// Everything that is wrong.
  public List<Diagnostic> findings() {
    return findings;
  }
}
